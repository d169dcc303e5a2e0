package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Randomness;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;

/** The contract of every bank. Without it a comparison would mean nothing. */
public abstract class BankContract {
    private static final int CUSTOMERS = 200;
    private static final int THREADS = 2;

    @TempDir
    protected Path folder;

    /** Makes and loads the bank. */
    protected abstract Bank open(BankOptions options);

    /** Returns the name of the contender on the command line. */
    protected abstract String name();

    private Bank bank() {
        return open(new BankOptions(name(), folder, CUSTOMERS, THREADS));
    }

    /** The six transactions change balances as SmallBank specifies. */
    @Test
    void theSixTransactionsMoveMoney() {
        try (Bank bank = bank()) {
            Teller teller = bank.teller();
            assertEquals(2 * Bank.INITIAL_CENTS, teller.balance(0));

            teller.depositChecking(0, 130);
            teller.transactSavings(0, 2020);
            assertEquals(500, teller.writeCheck(0, 500));
            assertEquals(2 * Bank.INITIAL_CENTS + 130 + 2020 - 500, teller.balance(0));
            assertTrue(teller.sendPayment(0, 1, 500));
            assertTrue(teller.sendPayment(1, 0, 500), "in the other order, too");
            teller.amalgamate(0, 1);
            assertEquals(0, teller.balance(0));
            assertEquals(4 * Bank.INITIAL_CENTS + 1650, teller.balance(1));
            teller.amalgamate(1, 0);
            assertEquals(0, teller.balance(1));

            long changes = 1 + 1 + 1 + 2 + 2 + 3 + 3;
            assertEquals(Totals.initial(CUSTOMERS).plus(1650, changes), bank.totals());
        }
    }

    /** A customer with too little money cannot pay, but can write a check, which costs a penalty. */
    @Test
    void lackOfMoneyRollsBackOrCosts() {
        try (Bank bank = bank()) {
            Teller teller = bank.teller();
            teller.amalgamate(3, 4);

            assertFalse(teller.sendPayment(3, 4, 1));
            assertEquals(600, teller.writeCheck(3, 500));
            assertEquals(-600, teller.balance(3));
            assertEquals(Totals.initial(CUSTOMERS).plus(-600, 3 + 1), bank.totals());
        }
    }

    /** Equal requests leave equal balances as in a store that cannot be wrong. */
    @Test
    void aloneItAgreesWithAPlainMap() {
        try (Bank bank = bank();
                Bank plain = new MapBank(new BankOptions("chm", folder, CUSTOMERS, THREADS))) {
            Teller teller = bank.teller();
            Teller reference = plain.teller();
            Trial.work(new BankDriver(teller, new Randomness(7), Customers.of(CUSTOMERS)), 5_000);
            Trial.work(new BankDriver(reference, new Randomness(7), Customers.of(CUSTOMERS)), 5_000);

            for (int i = 0; i < CUSTOMERS; i++) assertEquals(reference.balance(i), teller.balance(i), "customer " + i);
            assertEquals(plain.totals(), bank.totals());
            assertEquals(0, teller.aborts());
        }
    }

    /** Two threads on few accounts lose no update, and none happens twice. */
    @Test
    void twoThreadsLoseNothing() {
        try (Contender bank = new BankContender(bank(), Customers.of(CUSTOMERS))) {
            long commits = Trial.run(bank, THREADS, 11, 250);

            assertEquals(List.of(), bank.check());
            assertTrue(commits > 0);
        }
    }
}
