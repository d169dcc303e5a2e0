package tidepool.tcp.secure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who is known, by what, and with which rights: one version of a credentials file. */
final class Credentials {
    /** In the place of a pool: every pool that is not named. */
    static final String ANY_POOL = "*";

    static final int MOST_TOKENS = 2;

    static final class Client {
        final List<Token> tokens = new ArrayList<>();
        boolean byCertificate;
        final Map<String, Rights> rights;

        Client(Map<String, Rights> rights) {
            this.rights = Map.copyOf(rights);
        }
    }

    private final Map<String, Client> clients;

    Credentials(Map<String, Client> clients) {
        this.clients = new HashMap<>(clients);
    }

    /** Null for those who are not known. */
    Client client(String name) {
        return clients.get(name);
    }

    int size() {
        return clients.size();
    }

    /** An entry for the pool itself counts alone; otherwise the one for any pool. */
    Rights rights(String name, String pool) {
        Client client = clients.get(name);
        if (client == null) return Rights.NONE;
        Rights named = client.rights.get(pool);
        return named != null ? named : client.rights.getOrDefault(ANY_POOL, Rights.NONE);
    }
}
