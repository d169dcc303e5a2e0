package tidepool.workload.proxy;

/** Which way a frame travels. */
public enum Direction {
    TO_NODE,
    TO_CLIENT
}
