package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;

/** The contract on a bank whose answers wait in a queue: it needs no server. */
class PipelinedBankDriverTest extends PipelinedBankContract {
    private static final int OUTSTANDING = 3;

    @Override
    protected Bank open(BankOptions options) {
        return new QueueingBank(new MapBank(options), Collections.synchronizedList(new ArrayList<>()));
    }

    @Override
    protected String name() {
        return "chm";
    }

    /** No transaction is under way when the time is up: otherwise it would be missing in the books. */
    @Test
    void everythingPostedIsTaken() {
        QueueingBank bank = new QueueingBank(new MapBank(new BankOptions("chm", folder, 200, 1)), new ArrayList<>());
        try (Contender contender = new BankContender(bank, Customers.of(200))) {
            assertTrue(Trial.run(contender, 1, 1, 20) > 0);

            QueueingTeller teller = bank.tellers().getFirst();
            assertEquals(0, teller.answers.size());
            assertEquals(OUTSTANDING, teller.maxAtOnce);
            assertEquals(List.of(), contender.check());
        }
    }

    private record QueueingBank(Bank bank, List<QueueingTeller> tellers) implements Bank {
        @Override
        public Teller teller() {
            QueueingTeller teller = new QueueingTeller(bank.teller());
            tellers.add(teller);
            return teller;
        }

        @Override
        public Totals totals() {
            return bank.totals();
        }

        @Override
        public String settings() {
            return "queues";
        }

        @Override
        public void close() {
            bank.close();
        }
    }

    private static final class QueueingTeller implements PipelinedTeller {
        private final Teller teller;
        private final ArrayDeque<Long> answers = new ArrayDeque<>();
        private int maxAtOnce;

        QueueingTeller(Teller teller) {
            this.teller = teller;
        }

        private void answer(long value) {
            answers.add(value);
            maxAtOnce = Math.max(maxAtOnce, answers.size());
        }

        @Override
        public int outstanding() {
            return OUTSTANDING;
        }

        @Override
        public void postAmalgamate(int a, int b) {
            teller.amalgamate(a, b);
            answer(0);
        }

        @Override
        public void postBalance(int a) {
            answer(teller.balance(a));
        }

        @Override
        public void postDepositChecking(int a, long cents) {
            teller.depositChecking(a, cents);
            answer(0);
        }

        @Override
        public void postSendPayment(int a, int b, long cents) {
            answer(teller.sendPayment(a, b, cents) ? 1 : 0);
        }

        @Override
        public void postTransactSavings(int a, long cents) {
            teller.transactSavings(a, cents);
            answer(0);
        }

        @Override
        public void postWriteCheck(int a, long cents) {
            answer(teller.writeCheck(a, cents));
        }

        @Override
        public long take() {
            return answers.remove();
        }

        @Override
        public long aborts() {
            return 0;
        }
    }
}
