package tidepool.memory;

/** An allocated piece of a region: {@code bytes} bytes from {@code offset}. */
public record Extent(long offset, long bytes) {}
