package tidepool.memory;

/** The regions that a connection has opened. What it did not open, its chained work may not touch either. */
@FunctionalInterface
public interface OpenRegions {
    /** The region of that number, 0 to 255, if this connection has opened it; null otherwise. */
    NodeRegion byNumber(int regionNumber);
}
