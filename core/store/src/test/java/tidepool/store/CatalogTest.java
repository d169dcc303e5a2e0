package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;

/** Any process that attaches finds geometry, tables and schemas in the pool. */
class CatalogTest {
    private static final PoolOptions SMALL = new PoolOptions("ford", 2, 0, 1 << 20, 8, 4096);
    private static final Schema ACCOUNT =
            Schema.builder("account").attribute("balance", AttributeType.LONG).build();

    private final Fabric fabric = Fabric.open("mem:?nodes=3");

    @AfterEach
    void close() {
        fabric.close();
    }

    private Catalog open() {
        return Catalog.open(fabric, fabric.attach(), SMALL);
    }

    @Test
    void whoComesLaterFindsWhatWasMade() {
        TableLayout made = open().table(ACCOUNT, 100);

        TableLayout found = open().table("account");
        assertEquals(made.schema(), found.schema());
        assertEquals(made.base(), found.base());
        assertEquals(made.buckets(), found.buckets());
        assertEquals(new Placement(3, 3, 2), open().placement());
        assertNull(open().table("savings"));
    }

    @Test
    void manyWhoFormatAndMakeOneTableAtOnceAgree() throws InterruptedException {
        ConcurrentLinkedQueue<Long> bases = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++)
            threads.add(Thread.ofPlatform()
                    .start(() -> bases.add(open().table(ACCOUNT, 100).base())));
        for (Thread thread : threads) thread.join();

        assertEquals(8, bases.size());
        assertEquals(1, bases.stream().distinct().count());
        assertEquals(1, open().tables().size());
    }

    /** Of two sessions that open a new pool at once, one may format it before the other has freed its second region. */
    @Test
    void aFormatterMayFreeTheSecondRegionOfAnotherSession() {
        for (int node = 0; node < fabric.nodes(); node++) {
            NodeControl control = fabric.control(node);
            control.createRegion(CatalogLayout.BYTES);
            Id128 second = control.createRegion(CatalogLayout.BYTES);
            if (node == fabric.nodes() - 1) {
                open();
                FabricException gone = assertThrows(FabricException.class, () -> control.freeRegion(second));
                assertEquals(Refusal.KEY, gone.refusal());
                CatalogCopies.freeUnlessGone(control, second);
            }
        }
    }

    @Test
    void anotherSchemaUnderTheSameNameIsRefused() {
        open().table(ACCOUNT, 100);
        Schema other = Schema.builder("account")
                .attribute("balance", AttributeType.INT)
                .build();

        StoreException e = assertThrows(StoreException.class, () -> open().table(other, 100));
        assertEquals(StoreException.Reason.MISMATCH, e.reason());
        assertTrue(e.getMessage().contains("account"), e.getMessage());
        assertEquals(ACCOUNT, open().table("account").schema());
    }

    @Test
    void poolOfAnotherProtocolIsRefused() {
        open();
        PoolOptions other = new PoolOptions("motor", 2, 0, 1 << 20, 8, 4096);

        StoreException e = assertThrows(StoreException.class, () -> Catalog.open(fabric, fabric.attach(), other));
        assertEquals(StoreException.Reason.MISMATCH, e.reason());
        assertTrue(e.getMessage().contains("ford") && e.getMessage().contains("motor"), e.getMessage());
    }

    /** After a loss of power the catalog must tell which replicas to trust. */
    @Test
    void poolThatIsFlushedOtherwiseIsRefused() {
        Catalog.open(fabric, fabric.attach(), SMALL, FlushPolicy.SELECTIVE);

        StoreException e = assertThrows(
                StoreException.class, () -> Catalog.open(fabric, fabric.attach(), SMALL, FlushPolicy.NONE));
        assertEquals(StoreException.Reason.MISMATCH, e.reason());
        assertTrue(e.getMessage().contains("flush=selective"), e.getMessage());
        assertTrue(e.getMessage().contains("flush=none"), e.getMessage());
        assertEquals(FlushPolicy.SELECTIVE, open().flush());
    }

    /** A session that has left holds no lock. A loss of power may bring back a lock that it had released. */
    @Test
    void lockOfASessionThatHasLeftIsTaken() {
        Session left = fabric.attach();
        Catalog.open(fabric, left, SMALL);
        left.close();
        Catalog catalog = open();
        put(CatalogLayout.RECOVERY_LOCK, left.number());

        assertTrue(catalog.tryRecoveryLock());
    }

    /** Otherwise two sessions would write entries of tables at once. */
    @Test
    void theLockIsTakenOnlyFromASessionThatCannotWrite() {
        Session slow = holderRevokedAtTheFirstNode(CatalogLayout.LOCK);

        open().table(ACCOUNT, 100);

        assertRevokedEverywhere(slow);
    }

    /** Otherwise two sessions would write the geometry at once. */
    @Test
    void formattingIsTakenOverOnlyFromASessionThatCannotWrite() {
        Session slow = holderRevokedAtTheFirstNode(CatalogLayout.STATE);

        open();

        assertRevokedEverywhere(slow);
    }

    /** Otherwise two sessions would recover a third one at once. */
    @Test
    void theRecoveryLockIsTakenOnlyFromASessionThatCannotWrite() {
        Session slow = holderRevokedAtTheFirstNode(CatalogLayout.RECOVERY_LOCK);

        assertTrue(open().tryRecoveryLock());

        assertRevokedEverywhere(slow);
    }

    /** Returns a session that holds a lock. It may still write at all nodes but the first. */
    private Session holderRevokedAtTheFirstNode(long lockAt) {
        Session slow = fabric.attach();
        Catalog.open(fabric, slow, SMALL);
        put(lockAt, slow.number());
        fabric.control(0).revoke(slow.number());
        return slow;
    }

    private void assertRevokedEverywhere(Session session) {
        for (int node = 0; node < fabric.nodes(); node++)
            assertTrue(fabric.control(node).isRevoked(session.number()), "at node " + node);
    }

    @Test
    void tableThatDoesNotFitIsRefusedAndTakesNothing() {
        Catalog catalog = open();
        StoreException e = assertThrows(StoreException.class, () -> catalog.table(ACCOUNT, 10_000_000));
        assertEquals(StoreException.Reason.FULL, e.reason());

        assertEquals(64, catalog.table(ACCOUNT, 100).base());
    }

    /** The session took memory for a table and died before the table was there. */
    @Test
    void memoryThatADeadSessionHasTakenIsFree() {
        Catalog catalog = open();
        long end = catalog.table(ACCOUNT, 100).areaBytes() + 64 + 63 & -64;
        put(CatalogLayout.NEXT_OFFSET, 1 << 19);

        Schema savings = Schema.builder("savings")
                .attribute("balance", AttributeType.LONG)
                .build();
        assertEquals(end, open().table(savings, 100).base());
        assertEquals(1 << 19, get(CatalogLayout.NEXT_OFFSET));
    }

    /** Every byte of the geometry and of a table's entry matters. */
    @Test
    void damagedCatalogIsRefused() {
        open().table(ACCOUNT, 100);
        for (long at : new long[] {
            CatalogLayout.MAGIC_AT,
            CatalogLayout.VERSION_AT,
            CatalogLayout.PARTITIONS,
            CatalogLayout.REPLICAS,
            CatalogLayout.PARTITION_BYTES,
            CatalogLayout.COORDINATOR_COUNT,
            CatalogLayout.LOG_SLOT_BYTES,
            CatalogLayout.FLUSH,
            CatalogLayout.CHECKSUM,
            CatalogLayout.table(0) + CatalogLayout.TABLE_TEXT,
            CatalogLayout.table(0) + CatalogLayout.TABLE_CHECKSUM
        }) {
            flip(at);
            assertThrows(StoreException.class, () -> open().table("account"), "word at " + at);
            flip(at);
        }
        assertEquals(ACCOUNT, open().table("account").schema());
    }

    /**
     * Slots of Motor have grown since version 3, its blocks since 4. Records of such a pool would be read at wrong
     * places.
     */
    @Test
    void motorPoolOfBeforeItsSlotsAndBlocksGrewIsRefused() {
        PoolOptions motor = new PoolOptions("motor", 2, 0, 1 << 20, 8, 4096);
        Catalog.open(fabric, fabric.attach(), motor);
        for (long older = 3; older <= 4; older++) {
            put(CatalogLayout.VERSION_AT, older);

            StoreException e = assertThrows(StoreException.class, () -> Catalog.open(fabric, fabric.attach(), motor));
            assertEquals(StoreException.Reason.MISMATCH, e.reason());
            assertEquals(
                    "this pool was made by an older Tidepool: its catalog has format version " + older
                            + ", this program reads 17; make the pool anew, or use the program that made it",
                    e.getMessage());
        }
    }

    /**
     * Pools from before overflow buckets were given back are opened, and get the new version once a coordinator is
     * claimed.
     */
    @Test
    void poolsOfTheVersionBeforeAreOpenedAndConverted() {
        open();
        put(CatalogLayout.VERSION_AT, 3);
        open();
        assertEquals(3, get(CatalogLayout.VERSION_AT));
        open().claimCoordinator();
        assertEquals(6, get(CatalogLayout.VERSION_AT));
        put(CatalogLayout.VERSION_AT, 18);

        StoreException e = assertThrows(StoreException.class, this::open);
        assertTrue(e.getMessage().contains("made by a newer Tidepool"), e.getMessage());
    }

    /** The version is raised with the first such table, so that older programs refuse the pool and not the table. */
    @Test
    void aKeyOfSeveralPartsRaisesTheVersion() {
        Schema line = Schema.parse("line[order:string[12], number:int](amount:long)");
        open().table(ACCOUNT, 100);
        open().claimCoordinator();
        assertEquals(6, get(CatalogLayout.VERSION_AT));
        TableLayout made = open().table(line, 100);
        assertEquals(9, get(CatalogLayout.VERSION_AT));
        open().claimCoordinator();
        assertEquals(9, get(CatalogLayout.VERSION_AT));

        TableLayout found = open().table("line");
        assertEquals(line, found.schema());
        assertEquals(made.slotBytes(), found.slotBytes());
        assertEquals(16, found.keyBytes());
        assertEquals(ObjectLayout.bytes(8 + 16), found.slotBytes());
    }

    /** Older programs would take the memory of the new area for free, wherever they look. */
    @Test
    void aTableThatGrowsRaisesTheVersionOnAllNodes() {
        TableLayout table = open().table(ACCOUNT, 100);
        open().claimCoordinator();
        assertEquals(6, get(CatalogLayout.VERSION_AT));

        open().addArea(fabric.attach(), table);

        for (int node = 0; node < fabric.nodes(); node++) assertEquals(10, get(node, CatalogLayout.VERSION_AT));
        assertEquals(table.areas(), open().table("account").areas());
        assertEquals(2, table.areaCount());
    }

    /** The last entry is at the end of the catalog's region. */
    @Test
    void aTableGrowsInAFullCatalog() {
        Catalog catalog = open();
        for (int i = 0; i < CatalogLayout.TABLES; i++)
            catalog.table(
                    Schema.builder("t" + i).attribute("n", AttributeType.LONG).build(), 10);

        TableLayout last = catalog.table("t" + (CatalogLayout.TABLES - 1));
        catalog.addArea(fabric.attach(), last);

        assertEquals(2, open().table(last.name()).areaCount());
    }

    /** A session that waits for the catalog is about to be revoked, and must not keep the changer waiting. */
    @Test
    void aChangeOfTablesDoesNotWaitForSessionsThatWaitForTheCatalog() {
        Catalog waiting = open();
        Catalog changer = open();
        TableLayout table = changer.table(ACCOUNT, 100);
        try (TableChange change = changer.change()) {
            assertTrue(change.drop(table));
            change.announce();

            FabricException e =
                    assertThrows(FabricException.class, () -> waiting.table(Schema.parse("other(n:long)"), 100));
            assertEquals(Refusal.EPOCH, e.refusal());
        }
    }

    /** Memory between two tables is used to its last line. */
    @Test
    void anAreaThatFitsExactlyIsTaken() {
        open();
        Session session = fabric.attach();
        CatalogSpace space = new CatalogSpace(new CatalogCopies(fabric, session.lane()));
        List<CatalogSpace.Used> used = List.of(new CatalogSpace.Used(64, 128), new CatalogSpace.Used(512, 64));

        assertEquals(192, space.take(used, 320, "a table"));
        assertEquals(576, space.take(used, 321, "a table"));
        long left = (1 << 20) - 576;
        assertEquals(576, space.take(used, left, "a table"));
        StoreException e = assertThrows(StoreException.class, () -> space.take(used, left + 1, "a table"));
        assertEquals(
                "a table needs " + (left + 64) + " bytes in each partition, " + left
                        + " are left of memory=1048576; make the pool larger: ./tidepool pool grow URL --memory SIZE,"
                        + " or"
                        + " Tidepool.grow",
                e.getMessage());
    }

    /** Programs that do not know parts would lose them. The tables of parts are made with the table. */
    @Test
    void aLongAttributeRaisesTheVersionAndHasHiddenTables() {
        open().claimCoordinator();
        Schema notes = Schema.parse("notes(text:longstring[1048576], title:longstring[300]?)");
        TableLayout made = open().table(notes, 100);
        assertEquals(10, get(CatalogLayout.VERSION_AT));
        List<String> names = List.of("notes.smallparts", "notes.parts");
        assertEquals(names, ContentParts.namesOf(notes));
        assertEquals(
                List.of("notes.smallparts", "notes.parts", "notes"),
                open().tables().stream().map(TableLayout::name).toList());
        assertEquals(2 * 96 + 8, made.valueBytes());
        assertEquals(9 * 64, open().table("notes.smallparts").slotBytes());
        assertEquals(57 * 64, open().table("notes.parts").slotBytes());
        assertEquals(made.base(), open().table(notes, 100).base());
        assertEquals(3, open().tables().size());
        open().table(Schema.parse("short(text:longstring[1791])"), 100);
        assertEquals(5, open().tables().size()); // no content has a large part
    }

    /** Programs that do not know indexes would change rows without them. */
    @Test
    void anIndexRaisesTheVersionAndHasAHiddenTable() {
        open().claimCoordinator();
        Schema orders = Schema.parse("orders(customer:int) index by_customer#3(customer) index primary#7()");
        TableLayout made = open().table(orders, 1_000);
        assertEquals(15, get(CatalogLayout.VERSION_AT));
        assertEquals(
                List.of("orders.index", "orders"),
                open().tables().stream().map(TableLayout::name).toList());
        TableLayout nodes = open().table("orders.index");
        assertEquals(IndexNodeLayout.BYTES, nodes.valueBytes());
        assertEquals(1024, nodes.slotBytes());
        assertEquals(orders, open().table("orders").schema());
        assertEquals(made.base(), open().table(orders, 1_000).base());
        assertEquals(2, open().tables().size());
        assertEquals(3L << 56, IndexNodeLayout.root(orders.index("by_customer").number()));
        assertEquals(
                7,
                IndexNodeLayout.indexOf(
                        IndexNodeLayout.root(orders.index("primary").number()) + 5));
        StoreException e = assertThrows(StoreException.class, () -> open().table(
                        Schema.parse("orders(customer:int) unique by_customer#1(customer)"), 1_000));
        assertTrue(
                e.getMessage().contains("is stored without unique by_customer(customer); pool.alter"), e.getMessage());
        assertEquals(
                made.id(),
                open().table(Schema.parse("orders(customer:int)"), 1_000).id());
    }

    /** The table of nodes is made before the change that says that there is an index. */
    @Test
    void aTableGetsItsFirstIndex() {
        Catalog catalog = open();
        TableLayout made = catalog.table(ACCOUNT, 100);
        long version = get(CatalogLayout.VERSION_AT);
        Schema indexed = new SchemaChange().addIndex("rich", "balance").apply(ACCOUNT);
        try (TableChange change = catalog.change()) {
            assertTrue(change.alter(made, indexed)); // and is given up
        }
        assertTrue(version < 15);
        assertEquals(15, get(CatalogLayout.VERSION_AT));
        assertEquals(ACCOUNT, catalog.table("account").schema());
        assertEquals(2, catalog.tables().size());
        catalog.makeIndexNodes(indexed, 100);
        alter(catalog, made, indexed);
        assertEquals(
                "account(balance:long) building index rich#1(balance)",
                catalog.table("account").schema().toString());
        assertEquals(
                List.of("account", "account.index"),
                catalog.tables().stream().map(TableLayout::name).toList());
        TableLayout now = catalog.table("account");
        try (TableChange change = catalog.change()) {
            assertTrue(change.drop(now));
            change.announce();
            change.apply();
        }
        assertEquals(List.of(), catalog.namedTables());
    }

    private static void alter(Catalog catalog, TableLayout table, Schema schema) {
        try (TableChange change = catalog.change()) {
            assertTrue(change.alter(table, schema));
            change.announce();
            change.apply();
        }
    }

    /** Two hidden tables of parts and one of nodes change with their table, by the record of three entries. */
    @Test
    void threeHiddenTablesChangeWithTheirTable() {
        Catalog catalog = open();
        TableLayout made = catalog.table(Schema.parse("notes(text:longstring[9999]) index primary#1()"), 10);
        try (TableChange change = catalog.change()) {
            assertTrue(change.rename(made, "papers"));
            change.announce();
            change.apply();
        }
        List<String> renamed = List.of("papers.smallparts", "papers.parts", "papers.index", "papers");
        assertEquals(renamed, catalog.tables().stream().map(TableLayout::name).toList());
        try (TableChange change = catalog.change()) {
            assertTrue(change.truncate(catalog.table("papers")));
            change.announce();
            change.apply();
        }
        assertEquals(
                4,
                catalog.namedTables().stream().filter(TableLayout::isEmptying).count());
        catalog.clean();
        assertEquals(renamed, catalog.tables().stream().map(TableLayout::name).toList());
        try (TableChange change = catalog.change()) {
            assertTrue(change.drop(catalog.table("papers")));
            change.announce();
            change.apply();
        }
        assertEquals(List.of(), catalog.namedTables());
    }

    /** A record class that earlier programs laid out in fixed room finds the table that they made. */
    @Test
    void aTableOfAnEarlierProgramIsUsedAsItIs() {
        record Person(@Key long id, @Length(1000) String name) {}
        Schema former = Schema.parse("person(name:string[1000])");
        TableLayout made = open().table(former, 100);
        TableLayout found = open().table(Schema.of("person", Person.class), 100);
        assertEquals(made.id(), found.id());
        assertEquals(former, found.schema());
        assertEquals(1, open().tables().size());
        assertThrows(StoreException.class, () -> open().table(Schema.of("person", Person.class), 1000));
    }

    /** Sizes and places of parts follow from the length of the content, with at most half a part unused. */
    @Test
    void partsCoverTheContent() {
        for (int length = 93; length < 40_000; length += length < 6_000 ? 1 : 97) {
            int covered = 0;
            int carried = 0;
            for (int i = 0; i < ContentParts.count(length); i++) {
                assertEquals(covered, ContentParts.from(length, i));
                assertTrue(ContentParts.bytes(length, i) > 0);
                covered += ContentParts.bytes(length, i);
                carried += ContentParts.isLarge(length, i) ? ContentParts.LARGE_BYTES : ContentParts.SMALL_BYTES;
            }
            assertEquals(length, covered);
            assertTrue(carried - length <= ContentParts.LARGE_BYTES / 2, length + " carries " + carried);
        }
        assertEquals(293, ContentParts.count(1 << 20));
    }

    @Test
    void anAttributeOfAnotherTypeRaisesTheVersion() {
        open().claimCoordinator();
        Schema order = Schema.parse("orders(placed:instant, note:string[9])");
        open().table(order, 100);
        assertEquals(9, get(CatalogLayout.VERSION_AT));
        assertEquals(order, open().table("orders").schema());
    }

    /** The message names the protocol of the pool before its version. */
    @Test
    void poolOfAnotherProtocolIsToldByItsName() {
        Catalog.open(fabric, fabric.attach(), new PoolOptions("motor", 2, 0, 1 << 20, 8, 4096));

        StoreException e = assertThrows(StoreException.class, this::open);
        assertEquals("this pool holds records of protocol motor, not of ford", e.getMessage());
    }

    @Test
    void coordinatorsRunOutWithASentenceAndComeBack() {
        Catalog catalog = open();
        for (int i = 0; i < 8; i++) assertEquals(i, catalog.claimCoordinator());
        StoreException e = assertThrows(StoreException.class, catalog::claimCoordinator);
        assertEquals(StoreException.Reason.FULL, e.reason());

        catalog.releaseCoordinator(3, catalog.ownerOf(3));
        assertEquals(3, catalog.claimCoordinator());
    }

    @Test
    void outcomesAreRemembered() {
        Catalog catalog = open();
        catalog.recordOutcome(TxnId.of(5, 1), true);
        catalog.recordOutcome(TxnId.of(5, 2), false);

        assertEquals(1, catalog.outcome(TxnId.of(5, 1)));
        assertEquals(2, catalog.outcome(TxnId.of(5, 2)));
        assertEquals(0, catalog.outcome(TxnId.of(5, 3)));
    }

    private void put(long at, long word) {
        Lane lane = fabric.attach().lane();
        Region region = lane.connect(0).open(fabric.control(0).regions()[0]);
        lane.round(1).write(region, at, word).post().await();
    }

    private long get(long at) {
        return get(0, at);
    }

    private long get(int node, long at) {
        Lane lane = fabric.attach().lane();
        Region region = lane.connect(node).open(fabric.control(node).regions()[0]);
        var landing = lane.landing(8);
        lane.round(1).read(region, at, 8, landing, 0).post().await();
        return tidepool.base.Words.plain(landing, 0);
    }

    private void flip(long at) {
        Lane lane = fabric.attach().lane();
        Region region = lane.connect(0).open(fabric.control(0).regions()[0]);
        lane.round(1).fetchAndAdd(region, at, 0, null, 0).post().await();
        var landing = lane.landing(8);
        var round = lane.round(1);
        round.read(region, at, 8, landing, 0).post().await();
        long word = tidepool.base.Words.plain(landing, 0);
        round.write(region, at, word ^ 1).post().await();
    }
}
