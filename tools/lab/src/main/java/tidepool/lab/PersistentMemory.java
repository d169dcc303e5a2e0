package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;

/** Motor's Fig. 18: TPC-C with DRAM and with persistent memory in the pool. */
final class PersistentMemory implements Figure {
    private static final String DRAM = "DRAM";
    private static final String PM = "PM";

    @Override
    public List<String> numbers() {
        return List.of("motor-18");
    }

    @Override
    public String title() {
        return "persistent memory";
    }

    @Override
    public List<Job> jobs(Lab lab) {
        List<Job> jobs = new ArrayList<>();
        for (String memory : List.of(DRAM, PM)) {
            MeasuredWorkload workload = MotorPaper.workload(Macro.TPCC, lab);
            List<SeriesPoint> points = new ArrayList<>();
            for (Load load : List.of(new Load(10, 1), new Load(28, 3)))
                points.add(new SeriesPoint(load.total(), load, workload, MotorPaper.window(Macro.TPCC, lab)));
            LabProfile profile = memory.equals(DRAM) ? lab.motorProfile() : ProfileFile.ford();
            String protocol = MotorPaper.protocol(MotorPaper.MOTOR, MotorPaper.versions(Macro.TPCC));
            jobs.add(MotorPaper.job(lab, profile, memory, protocol, workload, points));
        }
        return jobs;
    }

    @Override
    public FigureResult result(Results results) {
        double ours = results.highest(PM, Sample::perSecond) / results.highest(DRAM, Sample::perSecond);
        Plot plot = new Plot(
                "motor-18",
                "Motor, Fig. 18: TPC-C",
                "coordinators",
                "thousand transactions/s",
                List.of(
                        results.line(DRAM, Results.Point::x, p -> p.sample().perSecond() / 1e3),
                        results.line(PM, Results.Point::x, p -> p.sample().perSecond() / 1e3)));
        return new FigureResult(
                "motor-18",
                title(),
                List.of(new PaperComparison("motor-18", "throughput PM / DRAM", 1 - 0.131, ours)),
                List.of(plot),
                results,
                List.of("the memory is that of FORD's testbed; nothing is flushed, because Motor has no flush here"));
    }
}
