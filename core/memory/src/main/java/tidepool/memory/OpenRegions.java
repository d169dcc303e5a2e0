package tidepool.memory;

/** The regions that a connection has opened. Its chained work may access no others. */
@FunctionalInterface
public interface OpenRegions {
    /** Returns the region of a number, 0 to 255, if this connection has opened it; otherwise null. */
    NodeRegion byNumber(int regionNumber);
}
