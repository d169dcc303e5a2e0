package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PoolBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new PoolBank(options);
    }

    @Override
    protected String name() {
        return "ford";
    }

    /** The trips of the protocol's table, with addresses cached: what is raced is FORD and nothing shorter. */
    @Test
    void transactionsTakeTheTripsOfTheTable() {
        try (Bank bank = open(new BankOptions("ford", folder, 100, 1))) {
            Teller teller = bank.teller();
            for (int i = 0; i < 100; i++) teller.balance(i);

            assertEquals(2, trips(teller, () -> teller.amalgamate(1, 2)));
            assertEquals(2, trips(teller, () -> teller.balance(1)));
            assertEquals(2, trips(teller, () -> teller.depositChecking(1, 130)));
            assertEquals(2, trips(teller, () -> teller.sendPayment(2, 1, 500)));
            assertEquals(2, trips(teller, () -> teller.transactSavings(1, 2020)));
            assertEquals(3, trips(teller, () -> teller.writeCheck(1, 500)));
        }
    }

    /** Nothing is allocated once caches have grown, aborts and rollbacks included. */
    @Test
    void workAllocatesNothing() {
        try (Bank bank = open(new BankOptions("ford", folder, 100, 2));
                Race race = new Race(bank, 2, 100, 3)) {
            race.round(0, 1_000_000_000);
            RoundResult round = race.round(1, 200_000_000);

            // The JVM may allocate while it compiles; a transaction that allocates does it every time.
            assertEquals(0, round.bytesAllocated() / round.transactions());
        }
    }

    private static long trips(Teller teller, Runnable transaction) {
        long before = teller.roundTrips();
        transaction.run();
        return teller.roundTrips() - before;
    }
}
