package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** The contract on a bank whose answers wait in a queue: it needs no server. */
class PipelinedShiftTest extends PipelinedBankContract {
    private static final int OUTSTANDING = 3;

    @Override
    protected Bank open(BankOptions options) {
        return new QueueingBank(new MapBank(options));
    }

    @Override
    protected String name() {
        return "chm";
    }

    /** Nothing is left under way when the time is up: what is not taken would be missing in the books. */
    @Test
    void everythingPostedIsTaken() {
        try (QueueingBank bank = new QueueingBank(new MapBank(new BankOptions("chm", folder, 200, 1)))) {
            QueueingTeller teller = (QueueingTeller) bank.teller();
            RoundResult done = new PipelinedShift(teller, new Requests(1, 1, 0, 200)).work(20_000_000);
            assertTrue(done.commits() > 0);
            assertEquals(0, teller.answers.size());
            assertEquals(OUTSTANDING, teller.mostAtOnce);
            assertEquals(done.commits() + done.rollbacks(), done.latency().getTotalCount());
            assertEquals(Totals.initial(200).plus(done.cents(), done.changes()), bank.totals());
        }
    }

    private record QueueingBank(Bank bank) implements Bank {
        @Override
        public Teller teller() {
            return new QueueingTeller(bank.teller());
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
        private int mostAtOnce;

        QueueingTeller(Teller teller) {
            this.teller = teller;
        }

        private void answer(long value) {
            answers.add(value);
            mostAtOnce = Math.max(mostAtOnce, answers.size());
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
