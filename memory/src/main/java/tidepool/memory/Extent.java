package tidepool.memory;

/** A piece of a region that somebody was given: {@code bytes} from {@code offset} on. */
public record Extent(long offset, long bytes) {}
