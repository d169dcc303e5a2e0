package tidepool.bench.smallbank;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.Contender;
import tidepool.workload.measured.smallbank.SmallBankType;

/** A bank in a race. Its drivers call its tellers, and in the end its accounts have to hold what was committed. */
public final class BankContender implements Contender {
    private final Bank bank;
    private final Customers customers;
    private final List<BankDriver> drivers = new ArrayList<>();

    public BankContender(Bank bank, Customers customers) {
        this.bank = bank;
        this.customers = customers;
    }

    @Override
    public String settings() {
        return bank.settings();
    }

    @Override
    public List<String> types() {
        return Stream.of(SmallBankType.values()).map(SmallBankType::text).toList();
    }

    @Override
    public ClientDriver driver(int number, int count, long seed) {
        BankDriver driver = driver(bank.teller(), new Randomness(seed).fork("hand " + number))
                .share(number, count);
        synchronized (drivers) {
            drivers.add(driver);
        }
        return driver;
    }

    private BankDriver driver(Teller teller, Randomness random) {
        return teller instanceof PipelinedTeller several && several.outstanding() > 1
                ? new PipelinedBankDriver(several, random, customers)
                : new BankDriver(teller, random, customers);
    }

    @Override
    public Map<String, Long> aborts() {
        synchronized (drivers) {
            return Map.of(
                    "conflict", drivers.stream().mapToLong(BankDriver::aborts).sum());
        }
    }

    @Override
    public List<String> check() {
        Totals expected = Totals.initial(customers.count());
        synchronized (drivers) {
            for (BankDriver driver : drivers)
                expected = expected.plus(driver.moved().cents(), driver.moved().changes());
        }
        Totals found = bank.totals();
        if (expected.equals(found)) return List.of();
        return List.of("the accounts hold " + found.cents() + " cents after " + found.changes()
                + " changes; by what was committed it should be " + expected.cents() + " after "
                + expected.changes());
    }

    @Override
    public void close() {
        bank.close();
    }
}
