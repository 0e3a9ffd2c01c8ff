// Every collider is looked at.

fn find(p: Moving) {
    for (var k = 0u; k < substep.colliders; k += 1u) {
        let c = colliders[collider_index(k)];
        var contact: Contact;
        if (collides(p, c)) {
            contact = meet(p, c);
        } else {
            contact.offset = FAR;
        }
        contacts[k * substep.particles + p.i] = contact;
    }
}
