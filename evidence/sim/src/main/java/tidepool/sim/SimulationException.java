package tidepool.sim;

/** A failure of a simulation. The message begins with the seed, so that one line is enough to repeat it. */
public final class SimulationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SimulationException(long seed, long nowNanos, String what, Throwable cause) {
        super("seed=0x" + Long.toHexString(seed) + " virtualNanos=" + nowNanos + ": " + what, cause);
    }
}
