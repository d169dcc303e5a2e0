package tidepool.memory;

/**
 * A test that tells a dead session from a slow one. Only a fabric can know; {@code false} does not prove that the
 * session lives.
 */
@FunctionalInterface
public interface SessionLiveness {
    boolean isDead(int session);

    /** For nodes that only one process ever uses: a session that holds a lock there will release it. */
    SessionLiveness NEVER_DEAD = session -> false;
}
