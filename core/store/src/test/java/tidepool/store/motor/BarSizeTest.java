package tidepool.store.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.schema.Schema;
import tidepool.schema.UpdateProfile;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.RowReport;
import tidepool.store.motor.BarSize.Basis;
import tidepool.store.motor.BarSize.Part;

/** Bars have the size of the paper's sum, computed by hand, and the pool tells the reason. */
class BarSizeTest {
    /** The sizes and frequencies of the paper's example: 512 bytes in 10 % of the updates, 12 in 88 %, 4 in 2 %. */
    private static final Schema CUSTOMER = Schema.parse("customer(data:bytes[512], paid:bytes[12], count:int)")
            .withUpdates("10 data, 88 paid, 2 count");

    private final Fabric fabric = Fabric.open("mem:?nodes=2");

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    void thePapersExample() {
        List<Part> parts = BarSize.parts(CUSTOMER, 4, CUSTOMER.updates());

        assertEquals(List.of(new Part(1, 4), new Part(3, 12), new Part(1, 512)), parts);
        assertEquals(
                552,
                parts.stream().mapToLong(p -> p.deltas() * p.bytes()).sum(),
                "as the paper counts, without headers");
        // Here a delta is rounded up to words and has three more: 1 × 32 + 3 × 40 + 1 × 536.
        assertEquals(new BarSize(688, Basis.DECLARED, parts), BarSize.of(CUSTOMER, 4));
    }

    @Test
    void otherNumbersOfVersions() {
        // 2 × 88 % is one and a half, so one: 32 + 40 + 536.
        assertEquals(608, BarSize.of(CUSTOMER, 2).bytes());
        // 15 × 10 % is 1, 15 × 88 % is 13, 15 × 2 % is none, so one: 536 + 13 × 40 + 32.
        assertEquals(1088, BarSize.of(CUSTOMER, 15).bytes());
    }

    /** The sum is over sizes: two kinds of equal size are one, and 3 versions of 8 bytes are 3 × 32. */
    @Test
    void kindsOfTheSameSizeAreOne() {
        Schema schema = Schema.parse("pair(a:long, b:long)").withUpdates("1 a, 1 b");

        assertEquals(new BarSize(96, Basis.DECLARED, List.of(new Part(3, 8))), BarSize.of(schema, 3));
    }

    /** Whatever was declared, one delta of a whole value fits: 24 + 528. */
    @Test
    void aWholeValueAlwaysFits() {
        Schema rarely = CUSTOMER.withUpdates("1 count");

        assertEquals(new BarSize(552, Basis.DECLARED, List.of(new Part(4, 4))), BarSize.of(rarely, 4));
        assertEquals(new BarSize(552, Basis.DECLARED, List.of()), BarSize.of(CUSTOMER.withUpdates("never"), 4));
        assertEquals(new BarSize(552, Basis.GIVEN, List.of()), BarSize.given(CUSTOMER, 8));
        assertEquals(new BarSize(1008, Basis.GIVEN, List.of()), BarSize.given(CUSTOMER, 1001));
    }

    /** Nothing was declared: a whole value, 24 + 16, and quarters, 3 × (24 + 8). */
    @Test
    void whatIsNotKnownIsAssumed() {
        Schema schema = Schema.parse("pair(a:long, b:long)");

        assertEquals(new BarSize(136, Basis.ASSUMED, List.of(new Part(1, 16), new Part(3, 4))), BarSize.of(schema, 4));
    }

    @Test
    void sampledIsSaid() {
        Schema schema = Schema.parse("pair(a:long, b:long)")
                .withUpdates(UpdateProfile.sampled(
                        List.of(new UpdateProfile.Kind(0b01, 30), new UpdateProfile.Kind(0b11, 10))));

        // 4 × 30 / 40 = 3 of 8 bytes and one of 16: 3 × 32 + 40.
        assertEquals(new BarSize(136, Basis.SAMPLED, List.of(new Part(3, 8), new Part(1, 16))), BarSize.of(schema, 4));
    }

    /** A later session reads the choice from the catalog, without knowing what was declared. */
    @Test
    void thePoolSaysWhy() {
        assertEquals(
                "table customer: 4 versions, bar 688 bytes (declared: 1 × 4 + 3 × 12 + 1 × 512 bytes of attributes);"
                        + " 1440 bytes a row, 2.7 times its value",
                report(CUSTOMER, BarSize.of(CUSTOMER, 4)));
        Schema item = Schema.parse("item(price:long)").withUpdates("never");
        assertEquals(
                "table item: 4 versions, bar 32 bytes (declared: rows are never changed; the least, for one delta of a"
                        + " whole value); 256 bytes a row, 32.0 times its value",
                report(item, BarSize.of(item, 4)));
        Schema other = Schema.parse("other(price:long)");
        assertEquals(
                "table other: 4 versions, bar 64 bytes (given); 288 bytes a row, 36.0 times its value",
                report(other, BarSize.given(other, 64)));
    }

    private String report(Schema schema, BarSize bar) {
        PoolOptions options = new PoolOptions("motor", 2, 0, 1 << 20, 8, 4096);
        Catalog.open(fabric, fabric.attach(), options)
                .withRows(any -> TupleLayout.format(any, 4, bar))
                .table(schema, 100);
        return RowReport.of(Catalog.open(fabric, fabric.attach(), options).table(schema.name()));
    }
}
