package tidepool.tcp.ops;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** {@code HOST:PORT}, an IPv6 address in square brackets: {@code [::1]:7400}. */
public record HostPort(String host, int port) {

    /** Reads it; {@code name} is what the value is of, for the sentence that refuses it. */
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

    /** Looks the host up; {@code name} is what it is of, for the sentence that says that there is none. */
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
