package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;

/** The additional contract of a bank whose tellers have several transactions under way. */
public abstract class PipelinedBankContract extends BankContract {
    private static final int CUSTOMERS = 200;
    private static final int THREADS = 2;
    private static final int REQUESTS = 5_000;

    private Bank bank() {
        return open(new BankOptions(name(), folder, CUSTOMERS, THREADS));
    }

    /** Transactions posted by one teller happen in that order, and each result belongs to its own request. */
    @Test
    void postedItAgreesWithAPlainMap() {
        try (Bank bank = bank();
                Bank plain = new MapBank(new BankOptions("chm", folder, CUSTOMERS, THREADS))) {
            PipelinedTeller teller = (PipelinedTeller) bank.teller();
            Teller reference = plain.teller();
            PipelinedBankDriver posted = new PipelinedBankDriver(teller, new Randomness(7), Customers.of(CUSTOMERS));
            BankDriver waited = new BankDriver(reference, new Randomness(7), Customers.of(CUSTOMERS));
            Trial.workPipelined(posted, REQUESTS);
            Trial.work(waited, REQUESTS);

            assertEquals(waited.moved(), posted.moved());
            assertEquals(waited.seen(), posted.seen());
            for (int i = 0; i < CUSTOMERS; i++) assertEquals(reference.balance(i), teller.balance(i), "customer " + i);
            assertEquals(plain.totals(), bank.totals());
        }
    }

    /** Two threads have several transactions under way each. The sum of both books is what the accounts hold. */
    @Test
    void underWayAtOnceNothingIsLost() {
        try (Contender bank = new BankContender(bank(), Customers.of(CUSTOMERS))) {
            assertTrue(Trial.run(bank, THREADS, 11, 250) > 0);
            assertEquals(List.of(), bank.check());
        }
    }
}
