package tidepool.workload.measured.tatp;

import java.util.List;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.BookClient;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.draw.Mix;

/**
 * A TATP client. The client knows for all tables except call_forwarding whether a row must exist. A wrong answer goes
 * into the book.
 */
final class TatpClient extends BookClient {
    private static final Mix MIX = new Mix(35, 10, 35, 2, 14, 2, 2);
    private static final int HOURS = 24;

    private final Tatp tatp;
    private final boolean spec;
    private final TableLayout subscribers;
    private final TableLayout numbers;
    private final TableLayout facilities;
    private final TableLayout accesses;
    private final TableLayout forwardings;
    private final int[] forwarded = new int[TatpKeys.STARTS];

    private int transaction;
    private long subscriber;
    private int type;
    private int start;
    private int end;
    private int drawn;
    private int facility; // its access in the current attempt

    TatpClient(Tatp tatp, List<TableLayout> tables, int number, long seed) {
        super(tatp.books().size(), number, seed);
        this.tatp = tatp;
        spec = tatp.scale == Scale.SPEC;
        subscribers = tables.get(TatpTables.SUBSCRIBER);
        numbers = tables.get(TatpTables.SEC_SUBSCRIBER);
        facilities = tables.get(TatpTables.SPECIAL_FACILITY);
        accesses = tables.get(TatpTables.ACCESS_INFO);
        forwardings = tables.get(TatpTables.CALL_FORWARDING);
    }

    @Override
    public int draw() {
        transaction = MIX.draw(random);
        subscriber = tatp.choice.draw(random);
        type = 1 + random.nextInt(TatpKeys.TYPES);
        start = random.nextInt(TatpKeys.STARTS);
        end = random.nextInt(HOURS) + (spec ? 1 : 0);
        drawn = (int) random.nextLong();
        return transaction;
    }

    @Override
    protected boolean attempt(Txn txn) {
        return switch (transaction) {
            case Tatp.GET_SUBSCRIBER_DATA -> getSubscriberData(txn);
            case Tatp.GET_NEW_DESTINATION -> getNewDestination(txn);
            case Tatp.GET_ACCESS_DATA -> getAccessData(txn);
            case Tatp.UPDATE_SUBSCRIBER_DATA -> updateSubscriberData(txn);
            case Tatp.UPDATE_LOCATION -> updateLocation(txn);
            case Tatp.INSERT_CALL_FORWARDING -> insertCallForwarding(txn);
            default -> deleteCallForwarding(txn);
        };
    }

    private boolean getSubscriberData(Txn txn) {
        int access = txn.read(subscribers, subscriber);
        if (!txn.execute()) return false;
        confirm(isSubscriber(txn, access));
        return true;
    }

    /** Finds the destinations of calls: the facility is active, and a forwarding has begun by then and lasts longer. */
    private boolean getNewDestination(Txn txn) {
        long key = TatpKeys.typed(subscriber, type);
        facility = txn.read(facilities, key);
        if (!txn.execute()) return false;
        confirm(txn.found(facility) == hasFacility());
        if (!txn.found(facility) || TatpTables.IS_ACTIVE.get(txn.memory(), txn.value(facility)) == 0) {
            miss();
            return true;
        }
        for (int i = 0; i <= start; i++) forwarded[i] = txn.read(forwardings, TatpKeys.forwarding(subscriber, type, i));
        if (!txn.execute()) return false;
        boolean any = false;
        for (int i = 0; i <= start; i++)
            any |= txn.found(forwarded[i]) && TatpTables.END_TIME.get(txn.memory(), txn.value(forwarded[i])) > end;
        if (!any) miss();
        return true;
    }

    private boolean getAccessData(Txn txn) {
        int access = txn.read(accesses, TatpKeys.typed(subscriber, type));
        if (!txn.execute()) return false;
        boolean expected = (TatpPopulation.accessTypes(subscriber) & 1 << type) != 0;
        confirm(txn.found(access) == expected);
        if (!txn.found(access)) miss();
        return true;
    }

    /** Changes both rows or none: without the facility it rolls back. */
    private boolean updateSubscriberData(Txn txn) {
        int changed = txn.update(subscribers, subscriber);
        facility = txn.update(facilities, TatpKeys.typed(subscriber, type));
        if (!txn.execute()) return false;
        if (!txn.found(facility)) {
            miss();
            return false;
        }
        confirm(hasFacility() && isSubscriber(txn, changed));
        if (!txn.found(changed)) return true;
        short bits = TatpTables.BITS.get(txn.memory(), txn.value(changed));
        short newBits = (short) (bits & ~1 | drawn & 1);
        TatpTables.BITS.set(txn.memory(), txn.value(changed), newBits);
        note(Tatp.BITS, newBits - bits);
        byte data = TatpTables.DATA_A.get(txn.memory(), txn.value(facility));
        byte newData = (byte) (drawn >> 8);
        TatpTables.DATA_A.set(txn.memory(), txn.value(facility), newData);
        note(Tatp.DATA_A, newData - data);
        return true;
    }

    private boolean updateLocation(Txn txn) {
        if (!lookUp(txn)) return false;
        int changed = txn.update(subscribers, subscriber);
        if (!txn.execute()) return false;
        confirm(isSubscriber(txn, changed));
        if (!txn.found(changed)) return true;
        int location = TatpTables.VLR_LOCATION.get(txn.memory(), txn.value(changed));
        TatpTables.VLR_LOCATION.set(txn.memory(), txn.value(changed), drawn);
        note(Tatp.VLR_LOCATION, (long) drawn - location);
        return true;
    }

    private boolean insertCallForwarding(Txn txn) {
        if (!lookUp(txn) || !readFacilities(txn)) return false;
        confirm(txn.found(facility) == hasFacility());
        if (!txn.found(facility)) {
            miss();
            return true;
        }
        long key = TatpKeys.forwarding(subscriber, type, start);
        int inserted = txn.insert(forwardings, key);
        if (!txn.execute()) return false;
        if (txn.found(inserted)) {
            miss();
            return true;
        }
        TatpTables.writeForwarding(txn.memory(), txn.value(inserted), key, end);
        note(Tatp.INSERTED, 1);
        return true;
    }

    private boolean deleteCallForwarding(Txn txn) {
        if (!lookUp(txn)) return false;
        int deleted = txn.delete(forwardings, TatpKeys.forwarding(subscriber, type, start));
        if (!txn.execute()) return false;
        if (txn.found(deleted)) note(Tatp.DELETED, 1);
        else miss();
        return true;
    }

    private boolean lookUp(Txn txn) {
        int number = txn.read(numbers, TatpKeys.subNumber(subscriber));
        if (!txn.execute()) return false;
        confirm(txn.found(number) && TatpTables.S_ID.get(txn.memory(), txn.value(number)) == subscriber);
        return true;
    }

    /** Reads the facility in question; all four, where the specification asks for all facilities of the subscriber. */
    private boolean readFacilities(Txn txn) {
        int first = spec ? 1 : type;
        int last = spec ? TatpKeys.TYPES : type;
        for (int each = first; each <= last; each++) {
            int access = txn.read(facilities, TatpKeys.typed(subscriber, each));
            if (each == type) facility = access;
        }
        return txn.execute();
    }

    private boolean hasFacility() {
        return (TatpPopulation.facilityTypes(subscriber) & 1 << type) != 0;
    }

    private boolean isSubscriber(Txn txn, int access) {
        return txn.found(access)
                && TatpTables.SUB_NBR.get(txn.memory(), txn.value(access)) == TatpKeys.subNumber(subscriber);
    }

    private void confirm(boolean right) {
        if (!right) note(Tatp.WRONG, 1);
    }
}
