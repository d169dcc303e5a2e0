package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocols;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/**
 * A table that is altered twice gets the number again that it had at first. A {@link Table} that was not used in
 * between still reads and writes the layout of now: otherwise it would mix up attributes, and nothing would say so.
 */
class AlteredTwiceTest {
    record Row(@Key long id, int first, int second) {}

    record Later(@Key long id, long first, int second, long third) {}

    @Test
    void openTableKnowsTheLayoutOfATableThatHasItsFirstNumberAgain() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=1m")) {
            Table<Row> open = pool.table("rows", Row.class, 10);
            int number = PoolAccess.layout(open.handle()).id();
            pool.transact(tx -> open.put(tx, new Row(1, 10, 20)));

            pool.alter("rows", new SchemaChange().widen("first", AttributeType.LONG));
            pool.alter("rows", new SchemaChange().add("third", AttributeType.LONG, "30"));

            assertEquals(number, PoolAccess.layout(pool.table("rows")).id(), "the number that it had at first");
            assertEquals(new Row(1, 10, 20), pool.read(tx -> open.get(tx, 1)));
            pool.transact(tx -> open.put(tx, new Row(2, 11, 21)));
            Table<Later> later = pool.table("rows", Later.class);
            assertEquals(new Later(2, 11, 21, 30), pool.read(tx -> later.get(tx, 2)));
        }
    }

    /** Otherwise the rows of the later version stay, and the caller is told that they are gone. */
    @Test
    void processThatHasNotSeenTheChangeEmptiesTheLaterVersion() {
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool before = open(fabric);
                Tidepool after = open(fabric)) {
            Table<Row> rows = before.table("rows", Row.class, 10);
            before.transact(tx -> rows.put(tx, new Row(1, 10, 20)));
            after.alter("rows", new SchemaChange().widen("first", AttributeType.LONG));

            before.truncate("rows");

            assertEquals(0, after.size("rows").rows());
        }
    }

    private static Tidepool open(Fabric fabric) {
        return PoolAccess.open(fabric, new PoolOptions("ford", 2, 2, 1 << 20, 8, 64 * 1024), Protocols.named("ford"));
    }
}
