package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.schema.Refusals.refused;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Indexes in the text of a schema, and in annotations of record classes. */
class IndexSchemaTest {
    private static final String PLAIN = "orders[id:int, part:short](warehouse:int, customer:int, code:string[8])";

    private static final String TEXT = PLAIN + " index by_customer#1(warehouse, customer) unique code#2(code)"
            + " building index late#3(part, warehouse) dropping unique old#4(id) index primary#127()";

    /** The catalog keeps this text. */
    @Test
    void indexesFollowTheAttributesInTheText() {
        Schema schema = Schema.parse(TEXT);
        assertEquals(TEXT, schema.toString());
        assertEquals(
                schema,
                Schema.parse(TEXT.replace("#", " # ").replace("(", " ( ").replace(")", "\n)")));
        assertEquals(
                "old",
                schema.indexes().stream()
                        .filter(each -> each.state() == IndexSchema.State.DROPPING)
                        .findAny()
                        .orElseThrow()
                        .name());
        assertEquals(
                new IndexSchema("late", 3, false, IndexSchema.State.BUILDING, List.of("part", "warehouse")),
                schema.index("late"));
        assertTrue(schema.index("code").isUnique());
        assertEquals(List.of(), schema.index("primary").columns());
        assertTrue(schema.hasIndex("late"));
        assertFalse(schema.hasIndex("none"));
        refused(() -> schema.index("none"), "by_customer, code, late, old, primary");
        refused(() -> Schema.parse(PLAIN).index("none"), "it has no indexes");
        assertEquals(
                "building index late#3(x, y.z)",
                IndexSchema.of("late", 3, "x", "y.z")
                        .withState(IndexSchema.State.BUILDING)
                        .toString());
    }

    /** Pools of before have this text and this fingerprint. */
    @Test
    void schemaWithoutIndexesIsAsItWas() {
        Schema plain = Schema.parse("account(balance:long, owner:string[16])");
        assertEquals("account(balance:long, owner:string[16])", plain.toString());
        assertEquals(0x0c7712d588a9d99cL, plain.fingerprint());
        assertTrue(plain.isBasic());
        Schema indexed = plain.withIndexes(List.of(IndexSchema.of("owner", 1, "owner")));
        assertNotEquals(plain, indexed);
        assertNotEquals(plain.fingerprint(), indexed.fingerprint());
        assertFalse(indexed.isBasic());
        assertEquals(plain.length(), indexed.length());
        assertTrue(plain.hasShapeOf(indexed) && indexed.hasShapeOf(plain));
        assertEquals(plain, indexed.withIndexes(List.of()));
        assertEquals(indexed, Schema.restore(1, indexed.fingerprint(), indexed.toString()));
    }

    @Test
    void hintsAndNamesKeepIndexes() {
        Schema schema = Schema.parse(TEXT);
        List<IndexSchema> all = schema.indexes();
        assertEquals(all, schema.named("other").indexes());
        assertEquals(all, schema.withUpdates("9 customer").indexes());
        assertEquals(all, schema.withVersions(3).indexes());
        Schema hinted = Schema.parse(PLAIN).withVersions(3).withUpdates("9 customer");
        assertEquals(3, hinted.withIndexes(all).versions());
        assertEquals(hinted.updates(), hinted.withIndexes(all).updates());
        Schema altered =
                new SchemaChange().add("x", AttributeType.INT, "3").drop("code").apply(Schema.parse(PLAIN + ORDER));
        assertEquals(1, altered.indexes().size());
    }

    /** The fenced change writes these states; later ones build the index, or remove its entries. */
    @Test
    void changesAddAndDropIndexes() {
        Schema stored = Schema.parse(PLAIN + " index a#1(code) dropping index b#3(id)");
        SchemaChange change = new SchemaChange()
                .add("level", AttributeType.INT, "3")
                .addIndex("levels", "level", "part")
                .addUnique("code", "code")
                .addOrder()
                .dropIndex("a");
        Schema after = change.apply(stored);
        assertEquals(
                "[dropping index a#1(code), dropping index b#3(id), building index levels#2(level, part),"
                        + " building unique code#4(code), building index primary#5()]",
                after.indexes().toString());
        Schema again = new SchemaChange()
                .addIndex("levels", "level", "part")
                .addOrder()
                .dropIndex("a")
                .apply(after);
        assertEquals(after, again);
        Schema ready = Schema.parse(PLAIN + " index a#1(code)");
        assertEquals(ready, new SchemaChange().addIndex("a", "code").apply(ready));
        refused(() -> new SchemaChange().dropIndex("x").apply(stored), "no index 'x'", "[a, b]");
        refused(() -> new SchemaChange().addUnique("a", "code").apply(stored), "index a#1(code)", "dropping it first");
        refused(() -> new SchemaChange().addIndex("b", "id").apply(stored), "dropping index b#3(id)");
        refused(() -> new SchemaChange().addIndex("x", "none").apply(stored), "'none'");
        refused(() -> new SchemaChange().drop("code").apply(stored), "'code' is a column of index a#1(code)");
        refused(
                () -> new SchemaChange()
                        .widen("code", AttributeType.string(9))
                        .dropIndex("a")
                        .apply(stored),
                "new SchemaChange().dropIndex(\"a\")");
        assertEquals(
                2,
                new SchemaChange()
                        .widen("customer", AttributeType.LONG)
                        .apply(stored)
                        .indexes()
                        .size());
    }

    /** Attributes of a table can get other names, and its indexes stay. */
    @Test
    void indexesHaveAttributesOfTheSameNumbers() {
        Schema other = Schema.parse("orders[id:int, part:short](customer:int, warehouse:int, name:string[8])");
        assertEquals(
                "[index by_customer#1(customer, warehouse), unique code#2(name), building index late#3(part, customer),"
                        + " dropping unique old#4(id), index primary#127()]",
                other.withIndexesOf(Schema.parse(TEXT)).indexes().toString());
    }

    private static final String ORDER = " index primary#1()";

    @Test
    void indexesThatATableCannotHaveAreRefused() {
        refused(() -> Schema.parse(PLAIN + " index a#1(none)"), "column 'none'", "neither an attribute nor");
        refused(() -> Schema.parse(PLAIN + " index a#1(code, code)"), "column twice");
        refused(() -> Schema.parse(PLAIN + " index a#0(code)"), "number of an index is expected");
        refused(() -> Schema.parse(PLAIN + " index a#128(code)"), "from 1 to 127, not 128");
        refused(() -> Schema.parse(PLAIN + " index a#1(code) unique a#2(id)"), "two indexes named 'a'");
        refused(() -> Schema.parse(PLAIN + " index a#1(code) unique b#1(id)"), "two indexes with number 1");
        refused(() -> Schema.parse(PLAIN + " index a#1()"), "no columns", "'primary'");
        refused(() -> Schema.parse(PLAIN + " index primary#1(code)"), "order of the key", "[code]");
        refused(() -> Schema.parse(PLAIN + " unique primary#1()"), "which is unique");
        refused(() -> Schema.parse(PLAIN + " idx a#1(code)"), "nothing more", "at character " + (PLAIN.length() + 1));
        refused(() -> Schema.parse(PLAIN + " building a#1(code)"), "'index' or 'unique'");
        refused(() -> Schema.parse(PLAIN + " index #1(code)"), "name of an index");
        refused(() -> Schema.parse(PLAIN + " index a(code)"), "'#'");
        refused(() -> Schema.parse(PLAIN + " index a#1(code"), "or ',' behind a column");
        StringBuilder many = new StringBuilder(PLAIN);
        for (int i = 1; i <= 32; i++)
            many.append(" index i").append(i).append('#').append(i).append("(code)");
        assertEquals(32, Schema.parse(many.toString()).indexes().size());
        refused(() -> Schema.parse(many + " index a#33(id)"), "has 33 indexes; at most 32");
    }

    @Ordered
    @Index(
            name = "by_customer",
            on = {"warehouse", "customer"})
    @Index(
            name = "latest",
            on = {"warehouse", "id"})
    @Unique(name = "by_code", on = "code")
    record Order(
            @Key long id,
            int warehouse,
            @Index @Unique(name = "one") int customer,
            @Length(8) String code) {}

    record Plain(
            @Key long id,
            int warehouse,
            int customer,
            @Length(8) String code) {}

    @Test
    void annotationsDeclareIndexes() {
        assertEquals(
                "order(warehouse:int, customer:int, code:string[8]) index primary#1()"
                        + " index by_customer#2(warehouse, customer) index latest#3(warehouse, key)"
                        + " unique by_code#4(code) index customer#5(customer) unique one#6(customer)",
                Schema.of(Order.class).toString());
        assertEquals(List.of(), Schema.of(Plain.class).indexes());
    }

    /** A class needs the indexes that it declares, and leaves others alone. */
    @Test
    void classNeedsItsIndexes() {
        Schema order = Schema.of("orders", Order.class);
        Schema plain = Schema.of("orders", Plain.class);
        assertTrue(plain.accepts(order));
        assertFalse(order.accepts(plain));
        Schema other = Schema.parse("orders(warehouse:int, customer:int, code:string[8]) index x#1(code)"
                + " building index by_customer#2(warehouse, customer) index latest#3(warehouse, key)"
                + " dropping unique by_code#4(code) index customer#5(customer) unique one#66(customer)"
                + " index primary#7()");
        assertTrue(order.accepts(other));
        order.requireSame(other);
        refused(
                () -> order.requireSame(
                        Schema.parse(other.toString().replace("index customer#5", "unique customer#5"))),
                "table 'orders' is stored without index customer(customer); pool.alter(\"orders\","
                        + " new SchemaChange().addIndex(\"customer\", \"customer\"))",
                "'./tidepool table alter' builds it");
        refused(() -> order.requireSame(plain), "new SchemaChange().addOrder())");
        refused(() -> order.requireSame(Schema.parse("orders(warehouse:int) index x#1(key)")), "another schema");
    }

    @Index(name = "wrong", on = "none")
    record Unknown(@Key long id, int a) {}

    @Index(name = "nameless")
    record Nameless(@Key long id, int a) {}

    record NoOrder(@Key long id, @Index BigDecimal price) {}

    record Nested(@Key long id, Inner inner) {
        record Inner(@Index int a) {}
    }

    record TwoNames(@Key @Index(name = "x") long id, int key) {}

    @Test
    void annotationsThatCannotBeAreRefused() {
        refused(() -> Schema.of(Unknown.class), "'wrong'", "'none'");
        refused(() -> Schema.of(Nameless.class), "Nameless", "without a name or without columns");
        refused(() -> Schema.of(NoOrder.class), "'price'", "decimal[38] has no order");
        refused(() -> Schema.of(Nested.class), "component 'a'", "on = \"inner.a\"");
        refused(() -> Schema.of(TwoNames.class), "component 'id'", "named 'key'");
    }
}
