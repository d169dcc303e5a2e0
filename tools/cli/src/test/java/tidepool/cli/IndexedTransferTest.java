package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Duplicates;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.schema.Unique;
import tidepool.spi.BackupImage;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.workload.QuiescentPoolCheck;

/** Loads, imports and backups leave tables whose indexes have an entry for each row, and no others. */
class IndexedTransferTest {
    private static final int ROWS = 1_500;

    @Ordered
    @Index(
            name = "by_shop",
            on = {"shop", "amount"})
    record Sale(
            @Key long id,
            @Length(10) String shop,
            long amount,
            @Unique @Length(10) String code) {}

    @TempDir
    private Path folder;

    private final Map<Long, Sale> model = new TreeMap<>();

    private String url(String name) {
        return "shm:" + folder.resolve(name) + "?nodes=2&replicas=2&memory=8m";
    }

    private static Sale sale(int id, int round) {
        return new Sale(id, "shop" + (id * 7 + round) % 13, (id * 31L) % 100 + round, "c" + (round * ROWS + id));
    }

    /** Loads rows in a mixed order; every third row comes a second time, with other columns. */
    private void load(Table<Sale> sales) {
        try (TableLoader<Sale> loader = sales.loader()) {
            for (int i = 0; i < ROWS; i++) loader.add(kept(sale(i * 7 % ROWS, 0)));
            loader.finish();
        }
        try (TableLoader<Sale> loader = sales.loader().onDuplicate(Duplicates.REPLACE)) {
            for (int i = 0; i < ROWS; i += 3) loader.add(kept(sale(i, 1)));
            loader.finish();
        }
    }

    private Sale kept(Sale sale) {
        model.put(sale.id(), sale);
        return sale;
    }

    /** Requires that indexes and rows agree, and that scans return the rows of the model in their order. */
    private void verify(Tidepool pool) {
        Table<Sale> sales = pool.table("sales", Sale.class);
        List<Sale> byShop = new ArrayList<>(model.values());
        byShop.sort(Comparator.comparing(Sale::shop).thenComparing(Sale::amount).thenComparing(Sale::id));
        pool.read(tx -> {
            assertEquals(
                    List.copyOf(model.values()), sales.scan(tx, KeyRange.all()).toList());
            assertEquals(byShop, sales.index("by_shop").scan(tx, KeyRange.all()).toList());
            for (long id = 0; id < ROWS; id += 100)
                assertEquals(
                        model.get(id), sales.index("code").get(tx, model.get(id).code()));
            return null;
        });
        assertEquals(model.size(), pool.size("sales").rows());
        assertEquals(List.of(), QuiescentPoolCheck.of(pool).problems());
    }

    @Test
    void rowsThatAreLoadedAndImportedAreIndexed() throws IOException {
        try (Tidepool pool = Tidepool.open(url("a"))) {
            load(pool.table("sales", Sale.class));
            verify(pool);
        }
        Path file = folder.resolve("sales.csv");
        run(0, "table", "export", url("a"), "sales", file.toString());
        try (Tidepool pool = Tidepool.open(url("b"))) {
            Table<Sale> sales = pool.table("sales", Sale.class);
            pool.transact(
                    tx -> { // these are replaced
                        for (int id = 0; id < 50; id++) sales.insert(tx, sale(id, 2));
                    });
        }
        run(0, "table", "import", url("b"), "sales", file.toString(), "--duplicates", "replace");
        try (Tidepool pool = Tidepool.open(url("b"))) {
            verify(pool);
        }
        // The last row has a code that another row has: its batch is not imported.
        Path twice = folder.resolve("twice.csv");
        Files.writeString(
                twice,
                "key,shop,amount,code\n5000,x,1,new\n5001,x,1," + model.get(7L).code() + "\n");
        String refusal =
                run(1, "table", "import", url("b"), "sales", twice.toString()).err();
        assertTrue(
                refusal.contains(
                        "twice.csv, a row from line 2 on: another row has the same values: index=unique code#"),
                refusal);
        try (Tidepool pool = Tidepool.open(url("b"))) {
            verify(pool);
        }
    }

    @Test
    void aRestoredPoolIsScanned() throws IOException {
        Path file = folder.resolve("sales.snapshot");
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            try (Tidepool pool = PoolAccess.open(one, new PoolOptions("ford", 1, 2, 4 << 20, 8, 4096))) {
                load(pool.table("sales", Sale.class));
            }
            BackupImage.write(one, 7, file);
        }
        try (Fabric two = Fabric.open("mem:?nodes=2")) {
            BackupImage.restore(file, two, 2, null);
            try (Tidepool pool = PoolAccess.open(two, new PoolOptions("ford", 2, 2, 4 << 20, 8, 4096))) {
                verify(pool);
                Table<Sale> sales = pool.table("sales", Sale.class);
                for (int id = ROWS; id < ROWS + 300; id += 30) {
                    int first = id;
                    pool.transact(tx -> {
                        for (int i = first; i < first + 30; i++) sales.insert(tx, kept(sale(i, 10)));
                        sales.delete(tx, first - ROWS);
                    });
                    model.remove((long) first - ROWS);
                }
                for (long id = 0; id < ROWS; id += 100) model.putIfAbsent(id, sale((int) id, 4));
                pool.transact(tx -> {
                    for (long id = 0; id < ROWS; id += 100) sales.put(tx, model.get(id));
                });
                verify(pool);
            }
        }
    }

    private static CommandRun run(int exitCode, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(exitCode, run.exitCode(), run::toString);
        return run;
    }
}
