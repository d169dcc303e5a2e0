package tidepool.tcp;

import tidepool.fabric.Region;

/** A region of a node on the network. Its handle is valid only for the opening of the link that returned it. */
final class TcpRegion extends Region {
    private final TcpLink link;
    private final int opening;
    private final int number;
    private final long bytes;

    TcpRegion(TcpLink link, int opening, int handle, int number, long bytes) {
        super(link, handle);
        this.link = link;
        this.opening = opening;
        this.number = number;
        this.bytes = bytes;
    }

    boolean isCurrent() {
        return link.opening() == opening;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
