package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.spi.PoolAccess;
import tidepool.store.IndexNodeLayout;
import tidepool.store.TableLayout;
import tidepool.workload.measured.PoolLoader;
import tidepool.workload.measured.PoolRows;
import tidepool.workload.measured.PoolTables;
import tidepool.workload.measured.Scale;

/** A small database in memory, with the rules of the specification. */
final class TpccPool implements AutoCloseable {
    static final TpccSize SMALL = new TpccSize(2, 30, 200, 60, 1, 5_000, true);

    /** Changes a row. */
    @FunctionalInterface
    interface Change {
        void apply(MemorySegment memory, long row);
    }

    final TpccSize size;
    final Tpcc workload;
    final Tidepool pool;
    final List<TableLayout> tables;

    TpccPool() {
        this(SMALL, "ford");
    }

    TpccPool(TpccSize size, String protocol) {
        this(size, protocol, "nodes=3&replicas=2&memory=48m");
    }

    TpccPool(TpccSize size, String protocol, String options) {
        this.size = size;
        workload = new Tpcc(Scale.SPEC, size);
        pool = Tidepool.open("mem:?protocol=" + protocol + "&" + options);
        tables = PoolTables.open(pool, workload);
        PoolLoader.load(pool, tables, workload, 0, 1);
    }

    TpccClient client(int number, long seed) {
        return (TpccClient) workload.client(tables, number, 1, seed);
    }

    /** Runs this number of transactions. Returns the client. */
    TpccClient run(int number, long seed, int transactions) {
        TpccClient client = client(number, seed);
        try (Worker worker = pool.worker()) {
            for (int i = 0; i < transactions; i++) {
                client.draw();
                finish(worker, client);
            }
        }
        return client;
    }

    /** Runs the drawn transaction. Returns true if it committed. */
    static boolean finish(Worker worker, TpccClient client) {
        boolean committed = worker.transact(client::run);
        if (committed) client.committed();
        else client.gaveUp();
        return committed;
    }

    /** Runs this number of threads concurrently. Returns the sum of their books. */
    long[] runThreads(int threads, long seed, int transactions) throws InterruptedException {
        long[] book = new long[TpccTotals.NAMES.size()];
        List<Thread> running = new ArrayList<>();
        List<TpccClient> finished = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            running.add(Thread.ofPlatform().start(() -> {
                TpccClient client = run(number, seed, transactions);
                synchronized (finished) {
                    finished.add(client);
                }
            }));
        }
        for (Thread thread : running) thread.join();
        assertTrue(finished.size() == threads, "a client has failed");
        for (TpccClient client : finished) for (int i = 0; i < book.length; i++) book[i] += client.book()[i];
        return book;
    }

    List<String> check(long[] book) {
        return PoolRows.check(pool, tables, workload, book);
    }

    void change(int table, long key, Change change) {
        transact(txn -> {
            int access = txn.update(tables.get(table), key);
            assertTrue(txn.execute() && txn.found(access));
            change.apply(txn.memory(), txn.value(access));
            return true;
        });
    }

    void insert(int table, long key, Change change) {
        transact(txn -> {
            int access = txn.insert(tables.get(table), key);
            assertTrue(txn.execute() && !txn.found(access));
            change.apply(txn.memory(), txn.value(access));
            return true;
        });
    }

    void delete(int table, long key) {
        transact(txn -> {
            int access = txn.delete(tables.get(table), key);
            return txn.execute() && txn.found(access);
        });
    }

    void look(int table, long key, Change look) {
        transact(txn -> {
            int access = txn.read(tables.get(table), key);
            assertTrue(txn.execute() && txn.found(access));
            look.apply(txn.memory(), txn.value(access));
            return true;
        });
    }

    /** Changes the first leaf of the first index of a table, past the rows. */
    void changeLeaf(int table, int width, Change change) {
        TableLayout nodes = PoolAccess.layoutsWithParts(pool, tables.get(table)).stream()
                .filter(each -> each.name().endsWith(".index"))
                .findFirst()
                .orElseThrow();
        transact(txn -> {
            long node = IndexNodeLayout.root(1);
            while (true) {
                int access = txn.update(nodes, node);
                assertTrue(txn.execute() && txn.found(access));
                long at = txn.value(access);
                if (IndexNodeLayout.level(txn.memory(), at) == 0) {
                    change.apply(txn.memory(), at);
                    return true;
                }
                node = IndexNodeLayout.child(txn.memory(), at, width, 0);
            }
        });
    }

    void transact(Worker.Work work) {
        try (Worker worker = pool.worker()) {
            assertTrue(worker.transact(work));
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
