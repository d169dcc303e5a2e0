package tidepool.workload.measured.draw;

import java.util.Arrays;
import tidepool.base.Checks;
import tidepool.base.Randomness;

/** Draws types of transactions by their shares in percent. */
public final class Mix {
    private final int[] byPercent = new int[100];

    /** @param shares of the types 0, 1, …; together 100 */
    public Mix(int... shares) {
        int from = 0;
        for (int type = 0; type < shares.length; type++) {
            Checks.argument(shares[type] >= 0 && from + shares[type] <= 100, "shares add up to 100");
            Arrays.fill(byPercent, from, from += shares[type], type);
        }
        Checks.argument(from == 100, "shares add up to 100");
    }

    /** Returns the type of the next transaction. */
    public int draw(Randomness random) {
        return byPercent[random.nextInt(100)];
    }
}
