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
import tidepool.schema.Length;
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
        ROW_IN_BOTH_TABLES,
        /** The parts of a row that moves are counted as those of the caller are: two contents have parts of one key. */
        PARTS_OF_ONE_NUMBER
    }

    public record Old(@Key long id, int first, int second) {}

    public record New(@Key long id, long first, int second, int third) {}

    @ParameterizedTest
    @EnumSource(
            value = Bug.class,
            names = {"NONE", "OLD_SCHEMA_WRITER", "ROW_IN_BOTH_TABLES"})
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

    public record Brief(@Key long id, @Length(200) String note) {}

    public record Longer(@Key long id, String note) {}

    /** A transaction writes a long content of its own, and moves a row whose content becomes parts. */
    @ParameterizedTest
    @EnumSource(
            value = Bug.class,
            names = {"NONE", "PARTS_OF_ONE_NUMBER"})
    void plantedBugOfPartsIsCaught(Bug bug) {
        if (bug == Bug.NONE) moveParts(bug);
        else assertThrows(RuntimeException.class, () -> moveParts(bug));
    }

    private static void moveParts(Bug bug) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=4m")) {
            Table<Brief> old = pool.table("table", Brief.class, 50);
            pool.transact(tx -> {
                for (int id = 0; id < 4; id++) old.put(tx, new Brief(id, "brief".repeat(40)));
            });
            if (bug == Bug.PARTS_OF_ONE_NUMBER) pool.migrations(CountsFromZero::new);
            new TableMigration(pool, "table")
                    .begin(new SchemaChange().widen("note", AttributeType.longstring(1 << 20)));
            Table<Longer> now = pool.table("table", Longer.class);
            pool.transact(tx -> {
                now.put(tx, new Longer(7, "longer".repeat(50)));
                now.update(tx, 2).set(new Longer(2, "x"));
            });
            assertEquals("longer".repeat(50), pool.read(tx -> now.get(tx, 7)).note());
            pool.alter("table", new SchemaChange());
            PartsCensus.check(pool, pool.table("table", Longer.class));
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

    /** Counts the parts of rows that move from zero. */
    private static final class CountsFromZero extends MigratingTxn {
        CountsFromZero(Tidepool pool) {
            super(pool);
        }

        @Override
        int firstPart() {
            return 0;
        }
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
