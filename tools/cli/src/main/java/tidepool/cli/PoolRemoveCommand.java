package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

/** {@code tidepool pool remove}: takes members out when other members hold their copies. */
@Command(
        name = "remove",
        description = {
            "Take members out of a pool, after others have copies of what they hold.",
            "A node that was taken out ends by itself.",
            "With --force members are not asked, and others get copies afterwards: for those that clients cannot reach."
        })
final class PoolRemoveCommand implements Callable<Integer> {
    @Mixin
    PoolPlace pool;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "NODE", description = "By name, identity or address.")
    List<String> nodes = new ArrayList<>();

    @Option(
            names = "--force",
            description =
                    "Take them out without asking them. Refused where they have the last whole copy of something.")
    boolean force;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        try (PoolChange change = new PoolChange(pool, spec.commandLine().getOut()::println)) {
            Roster before = force ? change.membership().read() : change.settled();
            List<String> leaving = nodes.stream()
                    .map(name ->
                            before.members().get(change.member(before, name)).identity())
                    .toList();
            if (force) {
                change.force(Set.copyOf(leaving));
                return 0;
            }
            if (!change.silent(before).isEmpty()) throw new UserError("nothing was changed" + change.hint(before));
            change.step(roster -> RosterPlan.drained(roster, change.replicas(), positions(roster, leaving)));
            change.step(roster -> {
                Set<Integer> gone = positions(roster, leaving);
                return gone.isEmpty() ? roster : RosterPlan.without(roster, gone);
            });
            return 0;
        } catch (FabricException e) {
            throw new UserError(e.getMessage());
        }
    }

    /** Returns the positions of those identities that are still members. */
    private static Set<Integer> positions(Roster roster, List<String> identities) {
        Set<Integer> positions = new TreeSet<>();
        for (String identity : identities) if (roster.position(identity) >= 0) positions.add(roster.position(identity));
        return positions;
    }
}
