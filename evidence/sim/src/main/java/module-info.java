/** A fabric in virtual time from one seed, with an adversary that reorders, tears, delays, loses and crashes. */
module tidepool.sim {
    requires transitive tidepool.fabric;

    exports tidepool.sim;

    provides tidepool.fabric.FabricProvider with
            tidepool.sim.SimProvider;
}
