package tidepool.lab;

import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/**
 * The common parts of the figures of the Motor paper: its systems, its testbed (§7.1), and the versions it keeps
 * (§7.2).
 */
final class MotorPaper {
    static final String MOTOR = "Motor";
    static final String FORD = "FORD";
    static final String FARM_V2 = "FaRMv2-DM";

    /** All systems in the order of the paper. */
    static final List<String> SYSTEMS = List.of(FARM_V2, FORD, MOTOR);

    /** Marks a system as the paper measured it, without our additions for correctness. */
    private static final String AS_PUBLISHED = ", as published";

    static final int NODES = 3;

    /** The paper's load where it names no other (§7.9): 28 threads of three. */
    static final Load LOAD = new Load(28, 3);

    private MotorPaper() {}

    /** Returns the number of versions that the paper found to be the best (§7.2). */
    static int versions(Macro macro) {
        return switch (macro) {
            case TPCC -> 4;
            case TATP -> 2;
            case SMALL_BANK -> 3;
        };
    }

    /**
     * Returns one of the three benchmarks. TPC-C has the paper's warehouses, half of the artifact's items, fewer
     * customers, and room for the orders of some windows. All versions of all rows on three nodes have to fit into the
     * memory of one machine.
     */
    static MeasuredWorkload workload(Macro macro, Lab lab) {
        String orders = lab.quick() ? "4000" : "20000";
        return macro == Macro.TPCC
                ? Workloads.named("tpcc?warehouses=24&customers=40&items=5000&orders=" + orders, Scale.PAPER)
                : macro.workload(lab);
    }

    static Lab.Window window(Macro macro, Lab lab) {
        if (macro != Macro.TPCC) return lab.shortWindow();
        return lab.quick() ? new Lab.Window(300_000, 1_000_000) : new Lab.Window(1_000_000, 5_000_000);
    }

    /** Returns the protocol of a system. All guarantee serializability, none flushes. */
    static String protocol(String system, int versions) {
        return switch (system) {
            case MOTOR -> "motor?versions=" + versions;
            case FARM_V2 -> "farmv2?versions=" + versions;
            case FORD -> "ford?reads=backup";
            default -> throw new IllegalArgumentException("unknown system: " + system);
        };
    }

    /** Returns the name of a system as it was published. */
    static String published(String system) {
        return system + AS_PUBLISHED;
    }

    /** Returns the protocol of a system, ours or as it was published, with the paper's choices for a benchmark. */
    static String protocol(String system, Macro macro) {
        int versions = versions(macro);
        if (system.equals(published(MOTOR))) return LabProtocols.PUBLISHED_MOTOR + "?versions=" + versions;
        if (system.equals(published(FARM_V2))) return LabProtocols.PUBLISHED_FARM_V2 + "?versions=" + versions;
        if (system.equals(published(FORD))) return LabProtocols.PUBLISHED_FORD + "?row=" + longestRow(macro);
        return protocol(system, versions);
    }

    /** Returns the bytes of every row's value in FORD's artifact (MAX_ITEM_SIZE). */
    private static int longestRow(Macro macro) {
        return switch (macro) {
            case TPCC -> 664;
            case TATP -> 40;
            case SMALL_BANK -> 8;
        };
    }

    static Job job(Lab lab, String series, String protocol, MeasuredWorkload workload, List<SeriesPoint> points) {
        return job(lab, lab.motorProfile(), series, protocol, workload, points);
    }

    static Job job(
            Lab lab,
            LabProfile profile,
            String series,
            String protocol,
            MeasuredWorkload workload,
            List<SeriesPoint> points) {
        int max = points.stream().mapToInt(point -> point.load().total()).max().orElse(1);
        Setup setup = new Setup(protocol, workload, Systems.homes(workload, NODES), NODES, profile, max, lab.seed());
        return new Job(series, setup, Meter.Aborted.DROPPED, false, points);
    }
}
