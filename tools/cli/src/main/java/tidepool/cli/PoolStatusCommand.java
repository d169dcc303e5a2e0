package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricException;
import tidepool.wire.tls.CredentialsException;
import tidepool.zookeeper.ZooKeeperMembership;

/** {@code tidepool pool status}: prints the members of a pool, their copies, and the work under way. */
@Command(
        name = "status",
        description = {
            "Show the members of a pool in ZooKeeper, what they hold, and how far the filling of new copies is.",
            "Exit code 1 if a member is missing, does not answer here or may hold less than it has"
                    + " acknowledged, if a change is under way, or copies are missing."
        })
final class PoolStatusCommand implements Callable<Integer> {
    @Mixin
    PoolPlace pool;

    @Option(names = "--watch", description = "Look again every second, until ^C.")
    boolean watch;

    @Option(names = "--partitions", description = "Show who holds each partition.")
    boolean partitions;

    @Option(
            names = "--json",
            description = "Print JSON instead of tables, with the partitions; see docs/operating/metrics.md.")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (ZooKeeperMembership membership = pool.open()) {
            while (true) {
                PoolStatus status = new PoolStatus(pool.place(pool.url()), membership, pool.url());
                if (watch && !json)
                    out.println("-- " + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
                if (json) out.println(PoolStatusJson.text(status));
                else status.print(out::println, partitions);
                out.flush();
                if (!watch) return status.isWell() ? 0 : 1;
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (FabricException | CredentialsException e) {
            throw new UserError(e.getMessage());
        }
    }
}
