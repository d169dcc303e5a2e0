package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Randomness;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;
import tidepool.workload.measured.smallbank.SmallBankType;

/** A bank in a race gets the requests of SmallBank, and its check of the money can fail. */
class BankContenderTest {
    private static final int CUSTOMERS = 1_000;
    private static final int DRAWN = 1 << 18;

    @TempDir
    Path folder;

    /**
     * A store that loses one update in a thousand is found out by its money; one that loses two that cancel, by counts.
     */
    @Test
    void aLostUpdateIsNoticed() {
        for (SmallBankType lost : List.of(SmallBankType.DEPOSIT_CHECKING, SmallBankType.SEND_PAYMENT)) {
            Bank bank = new ForgetfulBank(new BankOptions("chm", folder, CUSTOMERS, 2), lost);
            try (Contender contender = new BankContender(bank, Customers.of(CUSTOMERS))) {
                Trial.run(contender, 2, 5, 100);
                List<String> wrong = contender.check();

                assertEquals(1, wrong.size(), "lost: " + lost);
                assertTrue(wrong.getFirst().startsWith("the accounts hold "), wrong.getFirst());
            }
        }
    }

    @Test
    void theRequestsAreThoseOfSmallBank() {
        BankDriver driver = newDriver(1);
        int[] kinds = new int[SmallBankType.values().length];
        int hot = 0;
        for (int i = 0; i < DRAWN; i++) {
            kinds[driver.draw()]++;
            if (driver.a < CUSTOMERS / 25) hot++;
            assertTrue(driver.a != driver.b && driver.b < CUSTOMERS);
        }

        int[] shares = {15, 15, 15, 25, 15, 15};
        for (int i = 0; i < shares.length; i++)
            assertEquals(shares[i], 100.0 * kinds[i] / DRAWN, 0.5, SmallBankType.values()[i].name());
        assertEquals(90 + 10 * 0.04, 100.0 * hot / DRAWN, 0.5);
    }

    private BankDriver newDriver(long seed) {
        Bank bank = new MapBank(new BankOptions("chm", folder, CUSTOMERS, 1));
        return new BankDriver(bank.teller(), new Randomness(seed), Customers.of(CUSTOMERS));
    }
}
