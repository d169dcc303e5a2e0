package tidepool.memory;

/** Tells a dead session from a slow one. Only a fabric can know; {@code false} is no proof of life. */
@FunctionalInterface
public interface SessionLiveness {
    boolean isDead(int session);

    /** For nodes that only one process ever touches: whoever holds something there will come back to it. */
    SessionLiveness NEVER_DEAD = session -> false;
}
