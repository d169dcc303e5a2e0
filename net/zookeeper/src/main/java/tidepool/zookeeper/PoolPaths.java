package tidepool.zookeeper;

/**
 * The paths of a pool's entries in ZooKeeper.
 *
 * <pre>
 *   /tidepool/POOL/options             how the pool was created: parameters of its URL
 *   /tidepool/POOL/roster              the text of the Roster; replaced only if its version is unchanged
 *   /tidepool/POOL/nodes/IDENTITY      a registered node: its address and lease; gone with its session
 *   /tidepool/POOL/lives/IDENTITY      the highest known life of a node's journal, and a block acknowledged in it
 *   /tidepool/POOL/clients/SESSION     a process that has the pool open; gone with its session
 *   /tidepool/POOL/unreachable/IDENTITY@SESSION
 *                                      a member that such a process cannot reach; gone with its session
 *   /tidepool/POOL/steward             the process that changes the roster now; gone with its session
 *   /tidepool/POOL/progress/P@IDENTITY the progress of a replica fill; gone with the process that fills it
 * </pre>
 */
record PoolPaths(String pool) {
    static final String ROOT = "/tidepool";

    private String base() {
        return ROOT + "/" + pool;
    }

    String options() {
        return base() + "/options";
    }

    String roster() {
        return base() + "/roster";
    }

    String nodes() {
        return base() + "/nodes";
    }

    String node(String identity) {
        return nodes() + "/" + identity;
    }

    String life(String identity) {
        return base() + "/lives/" + identity;
    }

    String clients() {
        return base() + "/clients";
    }

    String client(String session) {
        return clients() + "/" + session;
    }

    String votes() {
        return base() + "/unreachable";
    }

    String vote(String identity, String session) {
        return votes() + "/" + identity + "@" + session;
    }

    String steward() {
        return base() + "/steward";
    }

    String progress() {
        return base() + "/progress";
    }

    String progress(int partition, String identity) {
        return progress() + "/" + partition + "@" + identity;
    }
}
