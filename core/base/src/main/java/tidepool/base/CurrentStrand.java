package tidepool.base;

/**
 * The strand and carrier that run on a thread now. One object per thread, so that a switch writes a field and not a
 * thread local.
 */
final class CurrentStrand {
    private static final ThreadLocal<CurrentStrand> OF_THREAD = ThreadLocal.withInitial(CurrentStrand::new);

    Strand strand;
    Scheduler carrier; // the scheduler whose loop runs on this thread, if it is a Carrier

    static CurrentStrand ofThread() {
        return OF_THREAD.get();
    }
}
