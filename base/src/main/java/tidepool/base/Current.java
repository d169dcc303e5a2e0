package tidepool.base;

/** What runs on a thread just now. One object per thread, so that a switch writes a field and not a thread local. */
final class Current {
    private static final ThreadLocal<Current> OF_THREAD = ThreadLocal.withInitial(Current::new);

    Strand strand;
    Scheduler carrier; // the scheduler whose loop runs on this thread, if it is a Carrier

    static Current ofThread() {
        return OF_THREAD.get();
    }
}
