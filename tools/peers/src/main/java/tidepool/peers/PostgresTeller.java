package tidepool.peers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import tidepool.bench.smallbank.Teller;
import tidepool.workload.measured.smallbank.SmallBankType;

/** SmallBank as calls of functions in PostgreSQL, over one connection with auto-commit. */
final class PostgresTeller implements Teller {
    private static final String CONFLICT = "40001";
    private static final String DEADLOCK = "40P01";

    /** No memory is left to note conflicts; waiting transactions have to end first. */
    private static final String NO_ROOM = "53200";

    private final PreparedStatement amalgamate;
    private final PreparedStatement balance;
    private final PreparedStatement deposit;
    private final PreparedStatement payment;
    private final PreparedStatement check;
    private long aborts;

    PostgresTeller(Connection connection) throws SQLException {
        amalgamate = connection.prepareStatement("select amalgamate(?, ?)");
        balance = connection.prepareStatement("select balance(?)");
        deposit = connection.prepareStatement("select deposit(?, ?)");
        payment = connection.prepareStatement("select payment(?, ?, ?)");
        check = connection.prepareStatement("select writecheck(?, ?, ?)");
    }

    @Override
    public void amalgamate(int a, int b) {
        call(amalgamate, a, b);
    }

    @Override
    public long balance(int a) {
        return call(balance, a);
    }

    @Override
    public void depositChecking(int a, long cents) {
        call(deposit, AccountTeller.checking(a), cents);
    }

    @Override
    public boolean sendPayment(int a, int b, long cents) {
        return call(payment, a, b, cents) == 0;
    }

    @Override
    public void transactSavings(int a, long cents) {
        call(deposit, AccountTeller.savings(a), cents);
    }

    @Override
    public long writeCheck(int a, long cents) {
        return call(check, a, cents, SmallBankType.PENALTY_CENTS);
    }

    private long call(PreparedStatement function, long... arguments) {
        while (true) {
            try {
                for (int i = 0; i < arguments.length; i++) function.setLong(i + 1, arguments[i]);
                try (ResultSet result = function.executeQuery()) {
                    result.next();
                    return result.getLong(1);
                }
            } catch (SQLException e) {
                boolean met = List.of(CONFLICT, DEADLOCK, NO_ROOM).contains(String.valueOf(e.getSQLState()));
                if (!met) throw new IllegalStateException("PostgreSQL failed: " + e.getMessage(), e);
                aborts++;
            }
        }
    }

    @Override
    public long aborts() {
        return aborts;
    }
}
