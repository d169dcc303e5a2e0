package tidepool.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.Tidepool;
import tidepool.fabric.FabricUrl;
import tidepool.spi.GrowthListener;
import tidepool.spi.PoolAccess;

/** {@code tidepool pool grow}: gives the partitions of a pool more memory. */
@Command(
        name = "grow",
        description = {
            "Give each copy of a partition more memory, so that tables can grow on.",
            "Programs keep the pool open. Their transactions wait while what tables have is copied, and go on by"
                    + " themselves.",
            "Each memory node needs room for its new copies next to the old ones. If one has none, or the pool does"
                    + " not change for another reason, the exit code is 1 and nothing was changed. A command that was"
                    + " interrupted may be given again. A pool does not shrink."
        },
        footer = {
            "",
            "  ./tidepool pool grow shm:/dev/shm/bank --memory 256m",
            "  ./tidepool pool grow zk://zoo1,zoo2,zoo3/bank --memory 4g"
        })
final class PoolGrowCommand implements Callable<Integer> {
    private static final double NANOS_PER_MILLI = 1e6;

    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Option(
            names = "--memory",
            required = true,
            paramLabel = "SIZE",
            description = "Bytes of each copy of a partition, as memory= of the URL that made the pool.")
    String memory;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        long bytes = bytes();
        LiveLine line = new LiveLine(spec.commandLine().getErr());
        boolean[] grown = new boolean[1];
        long has = TablePlace.in(url, pool -> {
            try {
                PoolAccess.grow(pool, bytes, new Shown(line, grown));
            } finally {
                line.accept("");
            }
            return memory(pool);
        });
        if (!grown[0]) say("the pool has " + Quantities.bytes(has) + " in each copy of a partition already");
        return 0;
    }

    private static long memory(Tidepool pool) {
        return PoolAccess.memory(pool);
    }

    private long bytes() {
        try {
            return FabricUrl.parseSize("--memory", memory);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void say(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }

    /** Shows how far the growth is, and says when it is done. */
    private final class Shown implements GrowthListener {
        private final LiveLine line;
        private final boolean[] grown;

        Shown(LiveLine line, boolean[] grown) {
            this.line = line;
            this.grown = grown;
        }

        @Override
        public void prepared(long bytes) {
            line.accept("made larger copies: " + Quantities.bytes(bytes));
        }

        @Override
        public void copied(long bytes, long of) {
            line.accept("copied " + Quantities.bytes(bytes) + " of " + Quantities.bytes(of));
        }

        @Override
        public void grown(long before, long after, long standstillNanos) {
            grown[0] = true;
            line.accept("");
            say(String.format(
                    Locale.ROOT,
                    "each copy of a partition has %s, before %s; the pool stood still for %.0f ms",
                    Quantities.bytes(after),
                    Quantities.bytes(before),
                    standstillNanos / NANOS_PER_MILLI));
        }
    }
}
