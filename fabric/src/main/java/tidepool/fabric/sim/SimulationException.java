package tidepool.fabric.sim;

/** A simulation found something wrong. The message begins with the seed, so that one line is enough to repeat it. */
public final class SimulationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long seed;

    SimulationException(long seed, long nowNanos, String what, Throwable cause) {
        super("seed=0x" + Long.toHexString(seed) + " virtualNanos=" + nowNanos + ": " + what, cause);
        this.seed = seed;
    }

    /** The seed that repeats it. */
    public long seed() {
        return seed;
    }
}
