package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.fabric.Fabric;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;

/** Planted bugs of tables whose rows move to another layout: each is caught by what two programs see. */
class SchemaVersionBugsTest {
    /** The bugs. */
    enum Bug {
        NONE,
        /** A session that knew the former layout is not shut out, and writes its bytes over a row of the new one. */
        OLD_SCHEMA_WRITER,
        /** A row that is written stays in the predecessor. */
        ROW_IN_BOTH_TABLES
    }

    public record Old(@Key long id, int first, int second) {}

    public record New(@Key long id, long first, int second, int third) {}

    @ParameterizedTest
    @EnumSource(Bug.class)
    void plantedBugIsCaught(Bug bug) {
        if (bug == Bug.NONE) play(bug);
        else assertThrows(AssertionError.class, () -> play(bug));
    }

    private static void play(Bug bug) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            PoolOptions options = new PoolOptions("ford", 2, 2, 1 << 20, 8, 16 * 1024);
            Tidepool before = PoolAccess.open(fabric, options);
            Tidepool after = PoolAccess.open(fabric, options);
            if (bug == Bug.OLD_SCHEMA_WRITER) after.changes(withoutFence(after));
            if (bug == Bug.ROW_IN_BOTH_TABLES) after.migrations(KeepsRows::new);
            Table<Old> old = before.table("table", Old.class, 50);
            Map<Long, New> model = new TreeMap<>();
            before.transact(tx -> {
                for (int id = 0; id < 20; id++) {
                    old.put(tx, new Old(id, id, 2 * id));
                    model.put((long) id, new New(id, id, 2 * id, 5));
                }
            });
            SchemaChange change =
                    new SchemaChange().widen("first", AttributeType.LONG).add("third", AttributeType.INT, "5");
            new TableMigration(after, "table").begin(change);
            Table<New> now = after.table("table", New.class);
            // The program of before goes on: its write is mapped, or would lie where no program looks for it.
            write(() -> before.transact(tx -> old.put(tx, new Old(3, 30, 31))));
            model.put(3L, new New(3, 30, 31, 5));
            write(() -> after.transact(tx -> now.update(tx, 4).set(new New(4, 40, 41, 6))));
            model.put(4L, new New(4, 40, 41, 6));
            try {
                Map<Long, New> seen = new TreeMap<>();
                for (long id = 0; id < 20; id++) {
                    long key = id;
                    seen.put(key, after.read(tx -> now.get(tx, key)));
                }
                assertEquals(model, seen);
                after.alter("table", new SchemaChange());
                before.transact(tx -> old.put(tx, new Old(5, 50, 51)));
                model.put(5L, new New(5, 50, 51, 5));
                Map<Long, New> moved = new TreeMap<>();
                now.forEach(each -> moved.put(each.id(), each));
                assertEquals(model, moved);
                after.close();
                before.close();
            } catch (StoreException e) {
                throw new AssertionError(e.getMessage(), e);
            }
        }
    }

    private static void write(Runnable body) {
        try {
            body.run();
        } catch (StoreException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private static TableChanges withoutFence(Tidepool pool) {
        return new TableChanges(pool.sessions()) {
            @Override
            void shutOut(SessionManager.Visit visit, tidepool.protocol.Recovery recovery, String what) {
                // No session is revoked.
            }
        };
    }

    /** Inserts rows into the table without the delete in its predecessor. */
    private static final class KeepsRows extends MigratingTxn {
        KeepsRows(Tidepool pool) {
            super(pool);
        }

        @Override
        boolean deletesBefore() {
            return false;
        }
    }
}
