package tidepool.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An audit of the money. Every account must hold its initial balance plus the changes in the tellers' books.
 * Transactions of killed tellers are in doubt: each happened wholly or not at all, and some choice must explain every
 * account.
 *
 * @param expectedCents the whole bank's money according to the books, with the chosen doubts
 * @param actualCents the whole bank's money
 * @param doubts transactions whose teller was killed before it knew the outcome
 * @param doubtsThatHappened how many of them must have happened
 * @param wrong accounts that no choice explains, in words
 */
public record BankAudit(long expectedCents, long actualCents, int doubts, int doubtsThatHappened, List<String> wrong) {
    private static final int MAX_TRIED = 22;

    public BankAudit {
        wrong = List.copyOf(wrong);
    }

    /** Compares a bank at rest with the books of all its tellers. */
    public static BankAudit of(AuditedBank bank, List<TellerBook> books) {
        long[] actual = bank.balances();
        long[] missing = actual.clone();
        for (int place = 0; place < missing.length; place++) missing[place] -= AuditedBank.INITIAL_CENTS;
        List<List<TellerBook.Change>> doubts = new ArrayList<>();
        for (TellerBook book : books) {
            long[] totals = book.totals();
            for (int place = 0; place < totals.length; place++) missing[place] -= totals[place];
            List<TellerBook.Change> doubt =
                    book.doubt().stream().filter(c -> c.cents() != 0).toList();
            if (!doubt.isEmpty()) doubts.add(doubt);
        }
        return settle(actual, missing, doubts, bank.accounts);
    }

    /** Finds the doubtful transactions that must have happened so that no money is missing. */
    static BankAudit settle(long[] actual, long[] missing, List<List<TellerBook.Change>> doubts, int accounts) {
        int happened = 0;
        for (List<Integer> group : groups(doubts)) happened += settle(group, doubts, missing);
        List<String> wrong = new ArrayList<>();
        long sum = 0;
        for (int place = 0; place < actual.length; place++) {
            sum += actual[place];
            if (missing[place] == 0) continue;
            String table = place < accounts ? "savings" : "checking";
            wrong.add(table + " " + place % accounts + " holds " + actual[place] + " cents, the books say "
                    + (actual[place] - missing[place]));
        }
        return new BankAudit(sum - Arrays.stream(missing).sum(), sum, doubts.size(), happened, wrong);
    }

    /** Groups doubts that share accounts, because they must be settled together. */
    private static List<List<Integer>> groups(List<List<TellerBook.Change>> doubts) {
        Map<Integer, List<Integer>> byPlace = new HashMap<>();
        for (int d = 0; d < doubts.size(); d++)
            for (TellerBook.Change change : doubts.get(d))
                byPlace.computeIfAbsent(change.place(), p -> new ArrayList<>()).add(d);
        boolean[] seen = new boolean[doubts.size()];
        List<List<Integer>> groups = new ArrayList<>();
        for (int d = 0; d < doubts.size(); d++) {
            if (seen[d]) continue;
            List<Integer> group = new ArrayList<>();
            Deque<Integer> open = new ArrayDeque<>(List.of(d));
            seen[d] = true;
            while (!open.isEmpty()) {
                int one = open.pop();
                group.add(one);
                for (TellerBook.Change change : doubts.get(one))
                    for (int other : byPlace.get(change.place()))
                        if (!seen[other]) {
                            seen[other] = true;
                            open.push(other);
                        }
            }
            groups.add(group);
        }
        return groups;
    }

    private static int settle(List<Integer> group, List<List<TellerBook.Change>> doubts, long[] missing) {
        if (group.size() > MAX_TRIED) return 0; // stays missing and is reported: such a run needs more accounts
        for (long choice = 0; choice < 1L << group.size(); choice++) {
            for (int i = 0; i < group.size(); i++)
                if ((choice >>> i & 1) == 1) change(doubts.get(group.get(i)), missing, -1);
            if (isSettled(group, doubts, missing)) return Long.bitCount(choice);
            for (int i = 0; i < group.size(); i++)
                if ((choice >>> i & 1) == 1) change(doubts.get(group.get(i)), missing, 1);
        }
        return 0;
    }

    private static boolean isSettled(List<Integer> group, List<List<TellerBook.Change>> doubts, long[] missing) {
        for (int d : group)
            for (TellerBook.Change change : doubts.get(d)) if (missing[change.place()] != 0) return false;
        return true;
    }

    private static void change(List<TellerBook.Change> changes, long[] missing, int sign) {
        for (TellerBook.Change change : changes) missing[change.place()] += sign * change.cents();
    }

    public boolean holds() {
        return wrong.isEmpty();
    }
}
