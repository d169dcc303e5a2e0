package tidepool.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** An address {@code HOST:PORT}; an IPv6 address stands in square brackets: {@code [::1]:7400}. */
public record HostPort(String host, int port) {

    /** Parses an address. The exception for an invalid value calls it {@code name}. */
    public static HostPort parse(String name, String value) {
        int colon = value.lastIndexOf(':');
        String host = colon < 0 ? "" : value.substring(0, colon);
        String port = value.substring(colon + 1);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (bracketed) host = host.substring(1, host.length() - 1);
        boolean isHost = bracketed ? host.matches("[0-9A-Fa-f:.%\\w]+") : host.matches("[A-Za-z0-9._-]+");
        if (isHost && port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= 65535)
            return new HostPort(host, Integer.parseInt(port));
        throw new IllegalArgumentException(name + " takes HOST:PORT such as 127.0.0.1:7400, not '" + value + "'");
    }

    /** Resolves the host. The exception for an unknown host calls the address {@code name}. */
    public InetSocketAddress resolve(String name) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(name + ": no such host: '" + host + "'", e);
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
