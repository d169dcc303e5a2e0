package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Tidepool;
import tidepool.base.Randomness;

/** The bank's money adds up, and a bank whose money does not is found out. */
class AuditedBankTest {
    private static final int ACCOUNTS = 200;

    @TempDir
    Path folder;

    @Test
    void moneyAddsUpAfterManyTellers() throws InterruptedException {
        try (Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m")) {
            AuditedBank bank = new AuditedBank(pool, ACCOUNTS, 8);
            bank.load();
            List<TellerBook> books = run(bank, 3, 2000);

            BankAudit audit = BankAudit.of(bank, books);

            assertEquals(List.of(), audit.wrong());
            assertEquals(audit.expectedCents(), audit.actualCents());
            assertEquals(0, audit.doubts());
            assertEquals(List.of(), QuiescentPoolCheck.of(pool).problems());
        }
    }

    /** A check must be able to fail: one cent that no book knows of. */
    @Test
    void oneCentTooMuchIsFound() throws InterruptedException {
        try (Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m")) {
            AuditedBank bank = new AuditedBank(pool, ACCOUNTS, 8);
            bank.load();
            List<TellerBook> books = run(bank, 1, 100);
            pool.transact(tx -> {
                var cell = bank.savings.update(tx, 5);
                cell.set(cell.get().plus(1));
            });

            BankAudit audit = BankAudit.of(bank, books);

            assertFalse(audit.holds());
            assertEquals(1, audit.actualCents() - audit.expectedCents());
            assertEquals(1, audit.wrong().size());
            assertTrue(
                    audit.wrong().getFirst().startsWith("savings 5 holds "),
                    audit.wrong().getFirst());
        }
    }

    /** Equal seeds run equal transactions, so that a failure can be repeated. */
    @Test
    void sameSeedSameMoney() throws InterruptedException {
        long[] first = balancesAfter(7);
        assertEquals(List.of(box(first)), List.of(box(balancesAfter(7))));
        assertFalse(box(first).equals(box(balancesAfter(8))));
    }

    private long[] balancesAfter(long seed) throws InterruptedException {
        try (Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m");
                TellerBook book = TellerBook.open(folder.resolve("seed-" + seed + "-" + System.nanoTime()), 400)) {
            AuditedBank bank = new AuditedBank(pool, ACCOUNTS, 8);
            bank.load();
            AuditedTeller teller = new AuditedTeller(bank, new Randomness(seed), book);
            for (int i = 0; i < 300; i++) teller.next();
            return bank.balances();
        }
    }

    private static List<Long> box(long[] numbers) {
        return java.util.Arrays.stream(numbers).boxed().toList();
    }

    private List<TellerBook> run(AuditedBank bank, int tellers, int each) throws InterruptedException {
        List<TellerBook> books = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < tellers; t++) {
            TellerBook book = TellerBook.open(folder.resolve("book-" + t), 2 * ACCOUNTS);
            books.add(book);
            AuditedTeller teller = new AuditedTeller(bank, new Randomness(t), book);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) teller.next();
            }));
        }
        for (Thread thread : threads) thread.join();
        return books;
    }
}
