package tidepool.cli;

import java.util.function.Function;
import tidepool.DuplicateKeyException;
import tidepool.Tidepool;
import tidepool.fabric.FabricException;
import tidepool.store.StoreException;

/** A pool that a command on tables opens. Its errors are sentences. */
final class TablePlace {
    private TablePlace() {}

    /** Runs work on the pool of a URL, and waits for it. */
    static <R> R in(String url, Function<Tidepool, R> work) {
        try (Tidepool pool = Tidepool.open(url)) {
            return work.apply(pool);
        } catch (FabricException | StoreException | DuplicateKeyException e) {
            throw new UserError(e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UserError(e.getMessage(), 2);
        }
    }

    /** Refuses a change that nothing can undo, unless it was confirmed. */
    static void requireYes(boolean yes, String what) {
        if (!yes) throw new UserError(what + ", and nothing brings them back: add --yes", 2);
    }
}
