package tidepool.workload.measured.tatp;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.workload.measured.CheckFindings;
import tidepool.workload.measured.RowSource;

/** Checks every row that can exist. */
final class TatpCheck {
    private final Tatp tatp;
    private final RowSource rows;
    private final CheckFindings findings = new CheckFindings();
    private long locations;
    private long bits;
    private long data;
    private long loadedForwardings;
    private long forwardings;

    TatpCheck(Tatp tatp, RowSource rows) {
        this.tatp = tatp;
        this.rows = rows;
    }

    List<String> check(long[] book) {
        for (long subscriber = 1; subscriber <= tatp.subscribers; subscriber++) {
            subscriber(subscriber);
            for (int type = 1; type <= TatpKeys.TYPES; type++) typed(subscriber, type);
        }
        findings.same(
                "rows of call_forwarding, against loaded + inserted - deleted",
                loadedForwardings + book[Tatp.INSERTED] - book[Tatp.DELETED],
                forwardings);
        findings.same("change of all vlr_location, against committed changes", book[Tatp.VLR_LOCATION], locations);
        findings.same("change of all bits, against committed changes", book[Tatp.BITS], bits);
        findings.same("change of all data_a, against committed changes", book[Tatp.DATA_A], data);
        findings.same("wrong answers to committed transactions", 0, book[Tatp.WRONG]);
        return findings.list();
    }

    private void subscriber(long subscriber) {
        if (!rows.read(TatpTables.SUBSCRIBER, subscriber)) {
            findings.add("subscriber " + subscriber + " is missing");
        } else {
            MemorySegment memory = rows.memory();
            long at = rows.value();
            if (!TatpTables.isSubscriber(memory, at, subscriber))
                findings.add("subscriber " + subscriber + " has fields that nobody has written");
            locations += (long) TatpTables.VLR_LOCATION.get(memory, at) - Tatp.firstLocation(subscriber);
            bits += TatpTables.BITS.get(memory, at) - Tatp.firstBits(subscriber);
        }
        if (!rows.read(TatpTables.SEC_SUBSCRIBER, TatpKeys.subNumber(subscriber))
                || TatpTables.S_ID.get(rows.memory(), rows.value()) != subscriber)
            findings.add("subscriber " + subscriber + " cannot be looked up by number");
    }

    private void typed(long subscriber, int type) {
        long key = TatpKeys.typed(subscriber, type);
        String row = " of subscriber " + subscriber + ", type " + type + ", ";
        if (isThere(TatpTables.ACCESS_INFO, key, TatpPopulation.accessTypes(subscriber), type, "access" + row)
                && !TatpTables.isAccess(rows.memory(), rows.value(), key)) findings.add("access" + row + "was changed");
        boolean facility = isThere(
                TatpTables.SPECIAL_FACILITY, key, TatpPopulation.facilityTypes(subscriber), type, "facility" + row);
        if (facility) {
            if (!TatpTables.isFacility(rows.memory(), rows.value(), key))
                findings.add("facility" + row + "was changed");
            data += TatpTables.DATA_A.get(rows.memory(), rows.value()) - Tatp.firstData(key);
            loadedForwardings += Integer.bitCount(tatp.population.starts(key));
        }
        for (int start = 0; start < TatpKeys.STARTS; start++) forwarding(subscriber, type, start, facility);
    }

    /** Returns whether the row exists. Adds a finding if it exists and should not, or the other way round. */
    private boolean isThere(int table, long key, int types, int type, String row) {
        boolean found = rows.read(table, key);
        boolean expected = (types & 1 << type) != 0;
        if (found != expected) findings.add(row + (found ? "came from nowhere" : "is missing"));
        return found;
    }

    private void forwarding(long subscriber, int type, int start, boolean facility) {
        long key = TatpKeys.forwarding(subscriber, type, start);
        if (!rows.read(TatpTables.CALL_FORWARDING, key)) return;
        forwardings++;
        String row = "forwarding of subscriber " + subscriber + ", type " + type + ", start " + start;
        if (!facility) findings.add(row + ", has no facility");
        if (!TatpTables.isForwarding(rows.memory(), rows.value(), key)) findings.add(row + ", is damaged");
    }
}
