package app.client;

import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;

/** Writes a record to a pool on memory nodes, and prints what another session reads. */
public final class Main {
    public record Visit(@Key long id, long count) {}

    private Main() {}

    /** @param arguments the URL of the pool, such as {@code tcp://127.0.0.1:7400/visits?replicas=1} */
    public static void main(String[] arguments) {
        String url = arguments[0];
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Visit> visits = pool.table("visits", Visit.class);
            pool.transact(tx -> visits.put(tx, new Visit(7, 3)));
        }
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Visit> visits = pool.table("visits", Visit.class);
            System.out.println(pool.read(tx -> visits.get(tx, 7)).count());
        }
    }
}
