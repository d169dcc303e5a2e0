package tidepool.peers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * {@code postgres}: our own PostgreSQL process over loopback, SERIALIZABLE, with every commit synced to a disk in group
 * commits. Each transaction is one call of a stored function by a prepared statement: one trip.
 */
public final class PostgresBank implements Bank {
    private static final String[] SET_UP = {
        "create unlogged table load (id bigint)",
        "create table accounts (id bigint primary key, cents bigint not null, changes bigint not null)"
                + " with (fillfactor = 50)",
        """
        create function amalgamate(a bigint, b bigint) returns bigint language plpgsql as $$
        declare s bigint; c bigint;
        begin
          select cents into s from accounts where id = 2 * a;
          select cents into c from accounts where id = 2 * a + 1;
          update accounts set cents = cents + s + c, changes = changes + 1 where id = 2 * b + 1;
          update accounts set cents = 0, changes = changes + 1 where id = 2 * a or id = 2 * a + 1;
          return 0;
        end $$""",
        """
        create function balance(a bigint) returns bigint language sql as $$
          select sum(cents)::bigint from accounts where id = 2 * a or id = 2 * a + 1 $$""",
        """
        create function deposit(account bigint, more bigint) returns bigint language sql as $$
          update accounts set cents = cents + more, changes = changes + 1 where id = account returning 0::bigint $$""",
        """
        create function payment(a bigint, b bigint, more bigint) returns bigint language plpgsql as $$
        begin
          update accounts set cents = cents - more, changes = changes + 1 where id = 2 * a + 1 and cents >= more;
          if not found then return 1; end if;
          update accounts set cents = cents + more, changes = changes + 1 where id = 2 * b + 1;
          return 0;
        end $$""",
        """
        create function writecheck(a bigint, taken bigint, penalty bigint) returns bigint language plpgsql as $$
        declare have bigint; due bigint;
        begin
          select sum(cents) into have from accounts where id = 2 * a or id = 2 * a + 1;
          due := case when have >= taken then taken else taken + penalty end;
          update accounts set cents = cents - due, changes = changes + 1 where id = 2 * a + 1;
          return due;
        end $$"""
    };

    private final PostgresServer server;

    public PostgresBank(BankOptions bank) {
        server = PostgresServer.start(bank.threads() + 8);
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String step : SET_UP) statement.execute(step);
            statement.execute("insert into accounts select i, " + INITIAL_CENTS + ", 0 from generate_series(0, "
                    + (2L * bank.customers() - 1) + ") i");
            statement.execute("vacuum analyze accounts");
            statement.execute("checkpoint");
        } catch (SQLException e) {
            server.close();
            throw new IllegalStateException("PostgreSQL cannot be loaded: " + e.getMessage(), e);
        }
    }

    @Override
    public Teller teller() {
        try {
            return new PostgresTeller(server.connect());
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL lets nobody in: " + e.getMessage(), e);
        }
    }

    @Override
    public Totals totals() {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet sums =
                        statement.executeQuery("select sum(cents)::bigint, sum(changes)::bigint from accounts")) {
            sums.next();
            return new Totals(sums.getLong(1), sums.getLong(2));
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public String settings() {
        return "PostgreSQL " + server.version()
                + " over loopback, serializable, a function per transaction, synchronous_commit on, on a disk,"
                + " no replicas";
    }

    @Override
    public void close() {
        server.close();
    }
}
