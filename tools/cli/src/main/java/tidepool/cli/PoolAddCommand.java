package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricException;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/** {@code tidepool pool add}: makes registered nodes members, which take their share of the copies. */
@Command(
        name = "add",
        description = {
            "Take nodes that have registered into a pool, and balance it.",
            "Members that are gone are taken out before.",
            "Transactions continue while copies are filled; all clients pause for a moment at each of the two changes."
        })
final class PoolAddCommand implements Callable<Integer> {
    @Mixin
    PoolPlace pool;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "NODE", description = "By name, identity or address.")
    List<String> nodes = new ArrayList<>();

    @Option(
            names = "--no-balance",
            description = "Move nothing: the nodes are there for copies that are missing one day.")
    boolean noBalance;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        try (PoolChange change = new PoolChange(pool, spec.commandLine().getOut()::println)) {
            change.cared(); // takes out dead members first: a new node may have the address of one
            List<Roster.Member> strangers = new ArrayList<>();
            for (String name : nodes) {
                String member = change.liveMember(name);
                if (member == null) strangers.add(change.stranger(name));
                else spec.commandLine().getOut().println(member + " is a member already");
            }
            change.step(roster -> {
                Roster more = roster;
                for (Roster.Member stranger : strangers)
                    if (more.position(stranger.identity()) < 0) more = RosterPlan.with(more, stranger);
                return noBalance ? more : RosterPlan.balanced(more, change.replicas());
            });
            if (!noBalance) change.step(roster -> RosterPlan.balanced(roster, change.replicas()));
            return 0;
        } catch (FabricException e) {
            throw new UserError(e.getMessage());
        }
    }
}
