package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a contender does whose tellers have several transactions under way, beyond what all do. */
public abstract class PipelinedBankContract extends BankContract {
    private static final int CUSTOMERS = 200;
    private static final int THREADS = 2;
    private static final int REQUESTS = 5_000;

    private Bank bank() {
        return open(new BankOptions(name(), folder, CUSTOMERS, THREADS));
    }

    /** What one teller posts happens in that order, and each result belongs to its own request. */
    @Test
    void postedItAgreesWithAPlainMap() {
        try (Bank bank = bank();
                Bank plain = new MapBank(new BankOptions("chm", folder, CUSTOMERS, THREADS))) {
            PipelinedTeller teller = (PipelinedTeller) bank.teller();
            Teller reference = plain.teller();
            PipelinedShift posted = new PipelinedShift(teller, new Requests(7, 1, 0, CUSTOMERS));
            Shift waited = new Shift(reference, new Requests(7, 1, 0, CUSTOMERS));
            posted.workThrough(REQUESTS);
            waited.workThrough(REQUESTS);

            assertEquals(waited.moved(), posted.moved());
            assertEquals(waited.seen(), posted.seen());
            for (int i = 0; i < CUSTOMERS; i++) assertEquals(reference.balance(i), teller.balance(i), "customer " + i);
            assertEquals(plain.totals(), bank.totals());
        }
    }

    /** Two threads, each with several under way: the books of both together are what the accounts hold. */
    @Test
    void underWayAtOnceNothingIsLost() throws Exception {
        try (Bank bank = bank();
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Totals>> books = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Requests requests = new Requests(11, 1, i, CUSTOMERS);
                books.add(threads.submit(() -> {
                    PipelinedShift shift = new PipelinedShift((PipelinedTeller) bank.teller(), requests);
                    shift.workThrough(REQUESTS);
                    return shift.moved();
                }));
            }
            Totals expected = Totals.initial(CUSTOMERS);
            for (Future<Totals> book : books)
                expected = expected.plus(book.get().cents(), book.get().changes());
            assertEquals(expected, bank.totals());
        }
    }
}
