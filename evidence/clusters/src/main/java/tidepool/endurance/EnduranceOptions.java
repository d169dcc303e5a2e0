package tidepool.endurance;

import java.util.function.Supplier;
import tidepool.base.Checks;
import tidepool.protocol.Protocol;

/**
 * Options of a long run.
 *
 * @param protocol of the pool
 * @param seed from which everything else follows
 * @param updates minimum number of rows that committed transactions change, insert or delete
 * @param keys that rows can have; all of them exist at the beginning, later most
 * @param strands that work, each with a coordinator
 * @param stretches after each of which all strands rest and memory is counted
 */
public record EnduranceOptions(
        Supplier<Protocol> protocol, long seed, long updates, int keys, int strands, int stretches) {
    public EnduranceOptions {
        Checks.argument(updates >= 1, "a run has at least one update, not " + updates);
        Checks.argument(strands >= 1 && keys >= 64 * strands, "every strand has at least 64 keys");
        Checks.argument(stretches >= 2, "there is a before and an after");
    }

    public static EnduranceOptions of(Supplier<Protocol> protocol, long seed, long updates) {
        return new EnduranceOptions(protocol, seed, updates, 400, 4, 4);
    }
}
