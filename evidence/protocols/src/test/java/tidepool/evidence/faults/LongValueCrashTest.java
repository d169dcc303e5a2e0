package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.schema.Key;
import tidepool.store.RowAudit;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * A process dies at each verb, or each few, of a transaction that replaces a long value, deletes one and inserts one.
 * Another process reads the rows all the time. It sees all of the old values or all of the new ones, and after the
 * recovery every part belongs to one row, in all copies.
 */
class LongValueCrashTest {
    /** A row with a text that lies in parts. */
    public record Note(@Key long id, int version, String text) {
        static Note of(long id, int version) {
            return new Note(id, version, (id + "." + version + " ").repeat(id == 1 ? 1_000 : 160));
        }
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void allOfItHappensOrNothing(String protocol) {
        int finished = 0;
        int undone = 0;
        int step = Effort.of(11, 5, 1);
        for (long verb = 0; ; verb += step) {
            Crash crash = new Crash(protocol, 1 + verb);
            RowAudit audit = crash.run(verb);
            if (audit == null) break;
            assertTrue(audit.parts() > 0);
            if (crash.seenAfter) finished++;
            else undone++;
        }
        assertTrue(finished > 0 && undone > 0, finished + " happened, " + undone + " did not");
    }

    private static final class Crash extends WatchedCrash<Table<Note>> {
        private static final List<Note> BEFORE = list(Note.of(1, 1), Note.of(2, 1), null);
        private static final List<Note> AFTER = list(Note.of(1, 2), null, Note.of(3, 2));

        private boolean seenAfter;

        Crash(String protocol, long seed) {
            super(protocol, 2 << 20, seed);
        }

        private static List<Note> list(Note... notes) {
            List<Note> all = new ArrayList<>();
            for (Note each : notes) all.add(each);
            return all;
        }

        @Override
        Table<Note> table(Tidepool pool) {
            return pool.table("notes", Note.class, 120);
        }

        @Override
        TableHandle handle(Table<Note> notes) {
            return notes.handle();
        }

        private static List<Note> read(Tidepool pool, Table<Note> notes) {
            return pool.read(tx -> notes.getAll(tx, 1, 2, 3));
        }

        /** Reads all rows, which are the old ones or the new ones; once they were new, they stay so. */
        @Override
        void look(Tidepool pool, Table<Note> notes) {
            List<Note> seen = read(pool, notes);
            boolean after = seen.equals(AFTER);
            assertTrue(after || seen.equals(BEFORE) && !seenAfter, () -> "seen " + seen);
            seenAfter |= after;
            Waiting.pause(1_000);
        }

        @Override
        void load(Tidepool pool, Table<Note> notes) {
            pool.transact(tx -> {
                notes.insert(tx, BEFORE.get(0));
                notes.insert(tx, BEFORE.get(1));
            });
        }

        @Override
        void prepare(Tidepool pool, Table<Note> notes) {
            assertEquals(BEFORE, read(pool, notes));
        }

        @Override
        void change(Tidepool pool, Table<Note> notes) {
            pool.transact(tx -> {
                Cell<Note> first = notes.update(tx, 1);
                notes.delete(tx, 2);
                notes.insert(tx, AFTER.get(2));
                first.set(AFTER.get(0));
            });
        }

        @Override
        void end(Tidepool pool, Table<Note> notes) {
            pool.transact(
                    tx -> { // the parts can be replaced
                        for (long id = 1; id <= 3; id++) notes.put(tx, Note.of(id, 3));
                    });
            assertEquals(list(Note.of(1, 3), Note.of(2, 3), Note.of(3, 3)), read(pool, notes));
        }
    }
}
