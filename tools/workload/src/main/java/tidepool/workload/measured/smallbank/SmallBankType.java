package tidepool.workload.measured.smallbank;

import java.util.Locale;
import java.util.stream.Stream;
import tidepool.base.Randomness;
import tidepool.workload.measured.draw.Mix;

/**
 * The six transactions of SmallBank (Alomari, Cahill, Fekete, Röhm, ICDE 2008) with the shares of the papers. Every
 * customer has a savings and a checking account.
 *
 * <pre>
 *   transaction        share   writes                               reads
 *   amalgamate          15 %   both accounts of a, checking of b
 *   balance             15 %                                        both accounts of a
 *   deposit-checking    15 %   checking of a
 *   send-payment        25 %   checking of a, checking of b
 *   transact-savings    15 %   savings of a
 *   write-check         15 %   checking of a                        savings of a
 * </pre>
 */
public enum SmallBankType {
    /** Moves all money of a into the checking account of b. */
    AMALGAMATE(15, 3),
    BALANCE(15, 0),
    DEPOSIT_CHECKING(15, 1),
    /** Rolls back if a has too little money. */
    SEND_PAYMENT(25, 2),
    TRANSACT_SAVINGS(15, 1),
    /** Costs a penalty if both accounts of a do not cover the check. */
    WRITE_CHECK(15, 1);

    public static final long DEPOSIT_CENTS = 130;
    public static final long SAVED_CENTS = 2020;
    public static final long PAYMENT_CENTS = 500;
    public static final long CHECK_CENTS = 500;

    /** The penalty for an overdrawn check. */
    public static final long PENALTY_CENTS = 100;

    private static final SmallBankType[] ALL = values();
    private static final Mix MIX =
            new Mix(Stream.of(ALL).mapToInt(type -> type.percent).toArray());

    private final int percent;
    private final int changes;

    SmallBankType(int percent, int changes) {
        this.percent = percent;
        this.changes = changes;
    }

    /** Draws a transaction according to the shares. */
    public static SmallBankType draw(Randomness random) {
        return ALL[MIX.draw(random)];
    }

    /** Returns the number of accounts that the transaction changes. */
    public int changes() {
        return changes;
    }

    /** Returns the name in reports: {@code deposit-checking}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
