package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.protocol.Protocol;
import tidepool.store.ObjectLayout;
import tidepool.store.RowFormat;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.Workloads;

/**
 * Motor's Fig. 12: bytes of the rows of a benchmark in the pool, by system. Nothing is measured: each row has its
 * object and its block, and the catalog gives their lengths.
 */
final class MemoryUse implements Figure {
    /** The numbers of the text: Motor relative to FORD, whose artifact has rows of one length. */
    private record Claim(String name, String workload, int versions, int fordRow, double motorToFord) {}

    private static final List<Claim> CLAIMS = List.of(
            new Claim("TPCC", "tpcc?warehouses=24&customers=3000&items=100000", 4, 664, 1.45),
            new Claim("TATP", "tatp", 2, 40, 1.173),
            new Claim("SmallBank", "smallbank", 3, 8, 1.327),
            new Claim("KVS", "kvs", 4, 40, 1.377));

    /** FaRMv2-DM relative to Motor: 14.6 % to 22.8 % more. */
    private static final double FARM_TO_MOTOR = 1 + (0.146 + 0.228) / 2;

    @Override
    public List<String> numbers() {
        return List.of("motor-12");
    }

    @Override
    public String title() {
        return "memory of the pool";
    }

    @Override
    public List<Job> jobs(Lab lab) {
        return List.of();
    }

    @Override
    public FigureResult result(Results results) {
        List<PaperComparison> comparisons = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Claim claim : CLAIMS) {
            MeasuredWorkload workload = Workloads.named(claim.workload, Scale.PAPER);
            double ford = bytes(workload, MotorPaper.protocol(MotorPaper.FORD, 1));
            double published = bytes(workload, LabProtocols.PUBLISHED_FORD + "?row=" + claim.fordRow);
            double motor = bytes(workload, MotorPaper.protocol(MotorPaper.MOTOR, claim.versions));
            double farm = bytes(workload, MotorPaper.protocol(MotorPaper.FARM_V2, claim.versions));
            comparisons.add(new PaperComparison(
                    "motor-12", "bytes Motor / FORD, " + claim.name, claim.motorToFord, motor / ford));
            comparisons.add(new PaperComparison(
                    "motor-12",
                    "bytes Motor / FORD as published, " + claim.name,
                    claim.motorToFord,
                    motor / published));
            comparisons.add(new PaperComparison(
                    "motor-12", "bytes FaRMv2-DM / Motor, " + claim.name, FARM_TO_MOTOR, farm / motor));
            notes.add(String.format(
                    Locale.ROOT,
                    "%s, MB of one copy: FORD %.1f, as published %.1f, Motor %.1f, FaRMv2-DM %.1f",
                    claim.name,
                    ford / 1e6,
                    published / 1e6,
                    motor / 1e6,
                    farm / 1e6));
        }
        notes.add("FaRMv2-DM / Motor: the paper says 14.6 to 22.8 % more over all benchmarks; compared is the middle");
        return new FigureResult("motor-12", title(), comparisons, List.of(), results, notes);
    }

    private static double bytes(MeasuredWorkload workload, String name) {
        Protocol protocol = LabProtocols.named(name);
        double sum = 0;
        for (TableSpec spec : workload.tables()) {
            RowFormat format = protocol.rows(spec.schema());
            sum += (double) spec.rows() * (ObjectLayout.bytes(format.contentBytes()) + format.sideBytes());
        }
        return sum;
    }
}
