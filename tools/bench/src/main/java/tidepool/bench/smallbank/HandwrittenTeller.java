package tidepool.bench.smallbank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;
import tidepool.workload.measured.smallbank.SmallBankType;

/**
 * A teller that carries out the verbs of {@code docs/internals/protocols/ford.md}, phase by phase, as loads, stores and
 * CAS.
 */
final class HandwrittenTeller implements Teller {
    /** The writer of the initial images. */
    static final long LOADER = 1;

    private static final int MAX_ACCOUNTS = 3;
    private static final long OBJECT = HandwrittenBank.OBJECT_BYTES;
    private static final long BODY = HandwrittenBank.BODY_BYTES;
    private static final long IMAGE = Words.BYTES + BODY;
    private static final long MIN_PAUSE_NANOS = 200;
    private static final int PAUSE_DOUBLINGS = 12;

    // scratch: old objects, new bodies, an object that is only read, the log
    private static final long LANDED = 0;
    private static final long STAGED = LANDED + MAX_ACCOUNTS * OBJECT;
    private static final long READ = STAGED + MAX_ACCOUNTS * OBJECT;
    private static final long LOG = READ + 2 * OBJECT;
    private static final long SCRATCH_BYTES = 2048;

    private static final long INTENT_BYTES = 64;
    private static final long SLOT_BYTES = 1024;

    private final HandwrittenBank bank;
    private final MemorySegment primary;
    private final MemorySegment backup;
    private final long logAt;
    private final MemorySegment scratch;
    private final Randomness random;
    private final long[] at = new long[MAX_ACCOUNTS];
    private final int session;
    private long counter;
    private long txn;
    private int held;
    private int attempt;
    private long aborts;

    HandwrittenTeller(
            HandwrittenBank bank, MemorySegment primary, MemorySegment backup, long logAt, int session, Arena arena) {
        this.bank = bank;
        this.primary = primary;
        this.backup = backup;
        this.logAt = logAt;
        this.session = session;
        this.random = new Randomness(session);
        this.scratch = arena.allocate(SCRATCH_BYTES, OBJECT);
    }

    // ---- the six transactions

    @Override
    public void amalgamate(int a, int b) {
        at[0] = bank.savings(a);
        at[1] = bank.checking(a);
        at[2] = bank.checking(b);
        while (!lock(3)) pause();
        long fromSavings = cents(0);
        long fromChecking = cents(1);
        add(2, fromSavings + fromChecking);
        add(0, -fromSavings);
        add(1, -fromChecking);
        commit();
    }

    @Override
    public long balance(int a) {
        while (true) {
            begin();
            if (read(bank.savings(a), 0) && read(bank.checking(a), 1)) {
                boolean same = validate(bank.savings(a), 0) && validate(bank.checking(a), 1);
                if (same) {
                    attempt = 0;
                    return readCents(0) + readCents(1);
                }
            }
            pause();
        }
    }

    @Override
    public void depositChecking(int a, long cents) {
        addTo(bank.checking(a), cents);
    }

    @Override
    public boolean sendPayment(int a, int b, long cents) {
        at[0] = bank.checking(a);
        at[1] = bank.checking(b);
        while (!lock(2)) pause();
        if (cents(0) < cents) {
            unlock();
            attempt = 0;
            return false;
        }
        add(0, -cents);
        add(1, cents);
        commit();
        return true;
    }

    @Override
    public void transactSavings(int a, long cents) {
        addTo(bank.savings(a), cents);
    }

    @Override
    public long writeCheck(int a, long cents) {
        at[0] = bank.checking(a);
        while (true) {
            if (lock(1)) {
                if (read(bank.savings(a), 0)) {
                    long taken = readCents(0) + cents(0) >= cents ? cents : cents + SmallBankType.PENALTY_CENTS;
                    add(0, -taken);
                    if (validate(bank.savings(a), 0)) {
                        commit();
                        return taken;
                    }
                }
                unlock();
            }
            pause();
        }
    }

    private void addTo(long account, long cents) {
        at[0] = account;
        while (!lock(1)) pause();
        add(0, cents);
        commit();
    }

    // ---- phases

    private void begin() {
        txn = TxnId.of(session, ++counter);
    }

    /** WRITE intent -> CAS LOCK -> READ object. */
    private boolean lock(int count) {
        begin();
        for (held = 0; held < count; held++) {
            int i = held;
            Words.release(primary, logAt + i * (long) Words.BYTES, at[i]);
            if (Words.compareAndSwap(primary, at[i] + ObjectLayout.LOCK, 0, TxnId.R | txn) != 0) {
                unlock();
                return false;
            }
            MemorySegment.copy(primary, at[i] + ObjectLayout.VERSION, scratch, landed(i) + ObjectLayout.VERSION, IMAGE);
        }
        for (int i = 0; i < count; i++) {
            boolean whole = ObjectLayout.isWhole(scratch, landed(i) + ObjectLayout.BODY, BODY);
            Checks.invariant(whole, "a locked object is whole");
            MemorySegment.copy(scratch, landed(i) + ObjectLayout.BODY, scratch, staged(i), BODY);
        }
        return true;
    }

    /** READ body -> READ LOCK -> READ VER; accepted if it is whole, visible and unlocked. */
    private boolean read(long account, int i) {
        long landed = READ + i * OBJECT;
        MemorySegment.copy(primary, account + ObjectLayout.BODY, scratch, landed + ObjectLayout.BODY, BODY);
        VarHandle.acquireFence();
        long lock = Words.acquire(primary, account + ObjectLayout.LOCK);
        long version = Words.acquire(primary, account + ObjectLayout.VERSION);
        Words.plain(scratch, landed + ObjectLayout.VERSION, version);
        long body = landed + ObjectLayout.BODY;
        return lock == 0
                && ObjectLayout.isWhole(scratch, body, BODY)
                && version == Words.plain(scratch, body + ObjectLayout.BODY_WRITER);
    }

    /** READ LOCK -> READ VER: it is unlocked and unchanged. */
    private boolean validate(long account, int i) {
        long seen = Words.plain(scratch, READ + i * OBJECT + ObjectLayout.VERSION);
        return Words.acquire(primary, account + ObjectLayout.LOCK) == 0
                && Words.acquire(primary, account + ObjectLayout.VERSION) == seen;
    }

    /** Each copy: WRITE undo log -> (WRITE VER={INV,T} -> WRITE body); then the release. */
    private void commit() {
        for (int i = 0; i < held; i++) {
            long key = Words.plain(scratch, staged(i) + ObjectLayout.BODY_KEY);
            ObjectLayout.seal(scratch, staged(i), BODY, key, ObjectLayout.flags(1, true), txn);
        }
        long logBytes = makeLog();
        long slot = logAt + INTENT_BYTES + (counter & LogLayout.SLOTS - 1) * SLOT_BYTES;
        install(primary, slot, logBytes);
        install(backup, slot, logBytes);
        VarHandle.fullFence();
        // ---- commit point ----
        for (int i = 0; i < held; i++) {
            Words.release(primary, at[i] + ObjectLayout.VERSION, txn);
            Words.compareAndSwap(backup, at[i] + ObjectLayout.VERSION, TxnId.INV | txn, txn);
            Words.release(primary, at[i] + ObjectLayout.LOCK, 0);
        }
        attempt = 0;
    }

    private void install(MemorySegment copy, long slot, long logBytes) {
        VarHandle.releaseFence();
        MemorySegment.copy(scratch, LOG, copy, slot, logBytes);
        for (int i = 0; i < held; i++) {
            Words.release(copy, at[i] + ObjectLayout.VERSION, TxnId.INV | txn);
            VarHandle.releaseFence();
            MemorySegment.copy(scratch, staged(i), copy, at[i] + ObjectLayout.BODY, BODY);
        }
    }

    private long makeLog() {
        long images = LOG + LogLayout.ENTRIES + held * LogLayout.ENTRY_BYTES;
        long bytes = images - LOG + held * IMAGE;
        Words.plain(scratch, LOG + LogLayout.MAGIC_AND_LENGTH, LogLayout.MAGIC << 32 | bytes);
        Words.plain(scratch, LOG + LogLayout.TXN, txn);
        Words.plain(scratch, LOG + LogLayout.STATUS, 0);
        Words.plain(scratch, LOG + LogLayout.OBJECTS, held);
        Words.plain(scratch, LOG + LogLayout.CHECKSUM, 0);
        for (int i = 0; i < held; i++) {
            long entry = LOG + LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES;
            Words.plain(scratch, entry, at[i]);
            Words.plain(scratch, entry + Words.BYTES, BODY);
            MemorySegment.copy(scratch, landed(i) + ObjectLayout.VERSION, scratch, images + i * IMAGE, IMAGE);
        }
        Words.plain(scratch, LOG + LogLayout.CHECKSUM, Checksum64.of(scratch, LOG, bytes, txn));
        return bytes;
    }

    private void unlock() {
        for (int i = 0; i < held; i++) Words.release(primary, at[i] + ObjectLayout.LOCK, 0);
        held = 0;
    }

    private void pause() {
        aborts++;
        attempt++;
        Waiting.pause(1 + random.nextLong(MIN_PAUSE_NANOS << Math.min(attempt, PAUSE_DOUBLINGS)));
    }

    // ---- accounts in scratch

    private static long landed(int i) {
        return LANDED + i * OBJECT;
    }

    private static long staged(int i) {
        return STAGED + i * OBJECT;
    }

    private long cents(int i) {
        return Words.plain(scratch, staged(i) + ObjectLayout.BODY_CONTENT);
    }

    private long readCents(int i) {
        return Words.plain(scratch, READ + i * OBJECT + ObjectLayout.CONTENT);
    }

    private void add(int i, long more) {
        long content = staged(i) + ObjectLayout.BODY_CONTENT;
        Words.plain(scratch, content, Words.plain(scratch, content) + more);
        Words.plain(scratch, content + Words.BYTES, Words.plain(scratch, content + Words.BYTES) + 1);
    }

    @Override
    public long aborts() {
        return aborts;
    }
}
