package tidepool.examples;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.Codec;
import tidepool.schema.ContentField;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Encoded;
import tidepool.schema.Field;
import tidepool.schema.FieldRow;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Index;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.Key;
import tidepool.schema.KeyPacker;
import tidepool.schema.KeySchema;
import tidepool.schema.Length;
import tidepool.schema.MisfitException;
import tidepool.schema.Nullable;
import tidepool.schema.Ordered;
import tidepool.schema.RecordCodec;
import tidepool.schema.RowKey;
import tidepool.schema.RowMapping;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;
import tidepool.schema.Unique;
import tidepool.schema.UpdateProfile;
import tidepool.schema.Updated;
import tidepool.schema.ValueFields.InstantField;
import tidepool.spi.FieldRows;
import tidepool.spi.PoolAccess;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** The examples in the Javadoc of package {@code tidepool.schema}. A test compares them, and runs them. */
final class SchemaBlocks {
    static final KeyPacker ORDER =
            EightByteKeys.packer().bits("warehouse", 16).bits("district", 8).bits("order", 40);
    static final KeyPacker.Part DISTRICT = ORDER.part("district");

    private SchemaBlocks() {}

    record Line(@Key @Length(12) String order, @Key int number, long amount) {}

    @Updated("9 balance, 1 balance+owner")
    record Account(@Key long id, long balance, @Length(16) String owner) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Invoice(
            @Key long id,
            @Length(40) String subject,
            @Length(32) byte[] digest,
            @Length(18) BigDecimal total,
            @Length(value = 5, each = 12) List<String> tags,
            @Nullable Instant paid) {}

    record Money(long cents) {}

    static final class MoneyCodec implements Codec<Money> {
        @Override
        public String name() {
            return "money";
        }

        @Override
        public int maxBytes() {
            return 8;
        }

        @Override
        public int encode(Money money, MemorySegment memory, long at) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, money.cents());
            return 8;
        }

        @Override
        public Money decode(MemorySegment memory, long at, int bytes) {
            return new Money(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
        }
    }

    record Item(@Key long id, @Encoded(MoneyCodec.class) Money price) {}

    record Doc(@Key long id, int stars, String text) {}

    // ---- what the comments show

    static void schemas() {
        Schema schema = Schema.of("account", Account.class); // account(balance:long, owner:string[16])
        Schema same = Schema.builder("account")
                .attribute("balance", AttributeType.LONG)
                .attribute("owner", AttributeType.string(16))
                .build();
        Schema parsed = Schema.parse("account(balance:long, owner:string[16])");
        System.out.println(same.equals(parsed) && parsed.equals(schema));
        Attribute owner = schema.attribute("owner");
        System.out.println(owner.text() + " has " + owner.bytes() + " bytes"); // owner:string[16] has 16 bytes
        for (Attribute each : schema.attributes()) {
            Field field = schema.field(each.name());
            System.out.println(field.attribute().name());
        }
        UpdateProfile updates = UpdateProfile.parse(schema, "9 balance, 1 balance+owner");
        System.out.println(updates.weight()); // 10
    }

    static void types() {
        AttributeType number = AttributeType.LONG; // long
        AttributeType text = AttributeType.string(16).orNull(); // string[16]?
        AttributeType ids = AttributeType.list(AttributeType.UUID, 4); // list<uuid>[4]
        AttributeType state = AttributeType.parse("enum<NEW, PAID>?");
        System.out.println(List.of(number, text, ids, state));
    }

    static void keys(Txn txn, TableHandle lines) {
        KeySchema shape = lines.schema().key(); // [order:string[12], number:int]
        RowKey third = shape.keyOf("A-1009", 3);
        int access = txn.read(lines, third);
        RowKey key = lines.schema().key().newKey();
        key.setString(0, "alice");
        key.setLong(1, 7);
        int other = txn.read(lines, key);
        System.out.println(access + other);
    }

    static void packed(long warehouse, long order) {
        long edge = EightByteKeys.pack(7, 9);
        int from = EightByteKeys.high(edge), to = EightByteKeys.low(edge);
        System.out.println(from + " " + to);
        long key = ORDER.pack(warehouse, 8, order);
        long district = DISTRICT.of(key);
        System.out.println(district);
    }

    static void codec() {
        RecordCodec<Account> codec = RecordCodec.of(Account.class);
        MemorySegment value = Arena.ofAuto().allocate(codec.schema().length(), 8);
        codec.encode(new Account(17, 100, "Ann Lee"), value, 0);
        Account account = codec.decode(17, value, 0);
        System.out.println(account);
        Schema schema = codec.schema();
        LongField balance = schema.longField("balance");
        balance.set(value, 0, balance.get(value, 0) - 5);
        System.out.println(balance.get(value, 0));
    }

    static void times(Schema schema, MemorySegment value, Instant now) {
        InstantField paid = schema.instantField("paid");
        paid.set(value, 0, now.getEpochSecond(), now.getNano());
        System.out.println(paid.get(value, 0));
    }

    static void lines(Tidepool pool) {
        Table<Line> lines = pool.table("lines", Line.class);
        pool.transact(tx -> lines.put(tx, new Line("A-1009", 3, 250)));
        pool.transact(tx -> {
            Line line = lines.get(tx, "A-1009", 3);
            System.out.println(line);
        });
    }

    static void contents(FieldRows rows, Schema schema, Transaction transaction, RowKey key) {
        FieldRow row = rows.get(transaction, key);
        int stars = schema.intField("stars").get(row.memory(), 0);
        byte[] bytes = row.content(schema.contentField("text"));
        System.out.println(stars + " " + bytes.length);
        ContentField note = schema.contentField("text");
        String text = note.isInParts(row.memory(), 0) ? "long" : note.text(row.memory(), 0);
        System.out.println(text);
    }

    // ---- how a test runs them

    static void run(Tidepool pool) {
        schemas();
        types();
        packed(3, 4);
        codec();
        Schema invoices = Schema.of("invoice", Invoice.class);
        times(invoices, Arena.ofAuto().allocate(invoices.length(), 8), Instant.EPOCH);
        lines(pool);
        TableHandle lines = pool.table("lines", Line.class).handle();
        pool.worker().transact(txn -> {
            keys(txn, lines);
            return true;
        });
        Table<Doc> docs = pool.table("docs", Doc.class);
        pool.transact(tx -> docs.put(tx, new Doc(1, 5, "short")));
        Schema schema = docs.handle().schema();
        FieldRows rows = PoolAccess.fieldRows(pool, docs.handle());
        pool.transact(tx -> contents(rows, schema, tx, schema.key().keyOf(1L)));
        System.out.println(Schema.of("item", Item.class));
    }

    record FormerAccount(
            @Key long id, int balance, @Length(8) String note) {}

    static void change(Tidepool pool) {
        SchemaChange change = new SchemaChange()
                .add("level", AttributeType.INT, "3")
                .drop("note")
                .widen("balance", AttributeType.LONG);
        pool.alter("accounts", change);
        finish(pool, new SchemaChange());
    }

    static void finish(Tidepool pool, SchemaChange change) {
        pool.alter("accounts", change, (moved, part) -> System.out.println("moved=" + moved));
    }

    static void convert(MemorySegment oldValue, MemorySegment newValue) {
        Schema before = Schema.parse("account(balance:int)");
        Schema after = Schema.parse("account(balance:long, level:int='3')");
        RowMapping mapping = RowMapping.between(before, after);
        mapping.convert(oldValue, 0, newValue, 0);
    }

    record SmallAccount(@Key long id, int balance) {}

    static void read(RecordCodec<SmallAccount> codec, MemorySegment memory) {
        try {
            System.out.println(codec.decode(17, memory, 0));
        } catch (MisfitException e) {
            System.out.println(e.getMessage()); // attribute 'balance' holds 3000000000, which is no int
        }
    }

    // ---- indexes

    @Index(
            name = "by_customer",
            on = {"warehouse", "customer"})
    record Order(
            @Key long id,
            int warehouse,
            int customer,
            @Index Instant entered) {}

    @Unique(
            name = "by_name",
            on = {"country", "name"})
    record Town(
            @Key long id,
            int country,
            @Length(40) String name,
            @Unique int code) {}

    @Ordered
    record Reading(@Key int sensor, @Key Instant at, double value) {}

    static void indexes() {
        Schema orders = Schema.parse("orders(warehouse:int, customer:int)")
                .withIndexes(List.of(IndexSchema.of("by_customer", 1, "warehouse", "customer")));
        IndexSchema byCustomer = orders.index("by_customer"); // index by_customer#1(warehouse, customer)
        System.out.println(byCustomer);
        IndexKeys keys = IndexKeys.of(orders, orders.index("by_customer"));
        byte[] from = new byte[keys.width()];
        int given = keys.bound(from, 0, 7, 42); // all entries of customer 42 of warehouse 7
        byte[] end = from.clone();
        boolean isBounded = IndexKeys.next(end, 0, given, keys.width());
        System.out.println(isBounded + " " + end[given - 1]);
        for (Class<? extends Record> each : List.of(Order.class, Town.class, Reading.class))
            System.out.println(Schema.of(each).indexes());
    }
}
