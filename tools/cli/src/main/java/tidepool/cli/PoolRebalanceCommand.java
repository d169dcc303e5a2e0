package tidepool.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricException;
import tidepool.store.RosterPlan;

/** {@code tidepool pool rebalance}: gives every member an equal share of the copies and of the primaries. */
@Command(
        name = "rebalance",
        description = "Move as few copies as it takes until all members hold equally much, and are primaries of"
                + " equally much.")
final class PoolRebalanceCommand implements Callable<Integer> {
    @Mixin
    PoolPlace pool;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (PoolChange change = new PoolChange(pool, out::println)) {
            boolean any = change.step(roster -> RosterPlan.balanced(roster, change.replicas()));
            if (any) change.step(roster -> RosterPlan.balanced(roster, change.replicas()));
            out.println(any ? "balanced" : "it is balanced already");
            out.flush();
            return 0;
        } catch (FabricException e) {
            throw new UserError(e.getMessage());
        }
    }
}
