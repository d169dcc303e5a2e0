package tidepool.workload.proxy;

/** The direction of a frame. */
public enum Direction {
    TO_NODE,
    TO_CLIENT
}
